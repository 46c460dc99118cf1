"""Health of the ESG oracle: whether the live score was computed lately."""

from datetime import datetime
from typing import Any

from apps.desk.health import Words
from apps.esgoracle import running
from apps.esgoracle.models import EsgRun


def check(now: datetime) -> dict[str, Any]:
    """Look at the last run: none within twenty minutes, or one without a score, needs somebody."""
    last = EsgRun.objects.order_by("-slot").first()
    if last is None:
        return {"status": "degraded", "lastRunSeconds": None, "reason": "no run yet"}
    fresh = last.slot >= running.slot_of(now - running.FRESH)
    age = {"lastRunSeconds": int((now - last.ran_at).total_seconds())}
    found = {"status": "ok" if fresh and last.ok else "degraded"} | age
    return found | ({"reason": last.reason} if last.reason else {})


def _sentences(told: dict[str, Any]) -> list[str]:
    seconds = told["lastRunSeconds"]
    if seconds is None:
        return ["The live ESG score was not computed yet."]
    said = [f"The live ESG score was computed {seconds // 60} minutes ago."]
    return said + ([f"It came to no number: {told['reason']}"] if "reason" in told else [])


WORDS = Words("Live ESG score", _sentences)
