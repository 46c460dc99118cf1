"""Health of the oracle: whether requests can be answered from its last run."""

from datetime import datetime, timedelta
from typing import Any

from apps.insight.stability.models import StabilityRun
from apps.insight.stability.oracle.rules.decision import LATE_AFTER, TOO_OLD
from apps.platform.desk.health import CheckWording, format_short_span
from apps.platform.ledger.verification.verified_reads import filter_verified_records


def check_oracle(now: datetime) -> dict[str, Any]:
    """Check the last run: anything but a recent run with a score needs an operator."""
    # degraded at worst: fees and quotes of the same service work without the oracle
    run = StabilityRun.objects.order_by("-slot").first()
    if run is None:
        return {"status": "degraded", "lastRunSeconds": None, "answers": False}
    age, ours = now - run.recorded_at, bool(filter_verified_records([run]))
    answers = ours and run.score is not None and age <= TOO_OLD
    return {
        "status": "ok" if answers and age <= LATE_AFTER else "degraded",
        "lastRunSeconds": int(age / timedelta(seconds=1)),
        "answers": answers,
        "proved": ours,
        "scored": run.score is not None,
        "sample": run.sample,
    }


def _describe_health(check: dict[str, Any]) -> list[str]:
    seconds = check.get("lastRunSeconds")
    if seconds is None:
        return ["It has not run yet. The first run is within ten minutes of the start."]
    sentences = [f"It ran {format_short_span(seconds)} ago; a run is due every ten minutes."]
    if not check.get("proved"):
        sentences.append("That run failed its integrity check: run verify_ledger.")
    elif not check.get("scored"):
        sentences.append("That run had too little data: check which series are too old.")
    if not check["answers"]:
        sentences.append("No settlement advice is available; requests get a 503.")
    if check.get("sample"):
        sentences.append("It is based on the bundled sample.")
    return sentences


WORDS = CheckWording("Stability oracle", _describe_health)
