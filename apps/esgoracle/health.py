"""Health of the ESG oracle: whether the live score was computed lately."""

from datetime import datetime
from typing import Any

from apps.core.chain import proven
from apps.desk.health import Words
from apps.esgoracle.models import EsgRun
from apps.esgoracle.telling import healthy


def check(now: datetime) -> dict[str, Any]:
    """Look at the last run: a late one, one without a score or not as written needs somebody."""
    last = EsgRun.objects.order_by("-slot").first()
    if last is None:
        return {"status": "degraded", "lastRunSeconds": None, "reason": "no run yet"}
    ours = bool(proven([last]))
    reason = last.data.get("fault", "") if ours else "it is not as it was written"
    age = {"lastRunSeconds": int((now - last.recorded_at).total_seconds())}
    found = {"status": "ok" if ours and healthy(last, now) else "degraded"} | age
    return found | ({"reason": reason} if reason else {})


def _sentences(told: dict[str, Any]) -> list[str]:
    seconds = told["lastRunSeconds"]
    if seconds is None:
        return ["The live ESG score was not computed yet."]
    said = [f"The live ESG score was computed {seconds // 60} minutes ago."]
    return said + ([f"It came to no number: {told['reason']}"] if "reason" in told else [])


WORDS = Words("Live ESG score", _sentences)
