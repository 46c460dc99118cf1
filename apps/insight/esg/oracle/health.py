"""Health of the ESG oracle: whether the live score was computed lately."""

from datetime import datetime
from typing import Any

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle.presenters import is_healthy_run
from apps.platform.desk.health import CheckWording
from apps.platform.ledger.verification.hash_chain import filter_verified_records


def check_live_score(now: datetime) -> dict[str, Any]:
    """Look at the last run: a late one, one without a score or not as written needs somebody."""
    last = EsgRun.objects.order_by("-slot").first()
    if last is None:
        return {"status": "degraded", "lastRunSeconds": None, "reason": "no run yet"}
    ours = bool(filter_verified_records([last]))
    reason = last.data.get("fault", "") if ours else "it is not as it was written"
    age = {"lastRunSeconds": int((now - last.recorded_at).total_seconds())}
    found = {"status": "ok" if ours and is_healthy_run(last, now) else "degraded"} | age
    return found | ({"reason": reason} if reason else {})


def _describe_health(told: dict[str, Any]) -> list[str]:
    seconds = told["lastRunSeconds"]
    if seconds is None:
        return ["The live ESG score was not computed yet."]
    said = [f"The live ESG score was computed {seconds // 60} minutes ago."]
    return said + ([f"It came to no number: {told['reason']}"] if "reason" in told else [])


WORDS = CheckWording("Live ESG score", _describe_health)
