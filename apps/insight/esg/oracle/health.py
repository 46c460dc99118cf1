"""Health of the ESG oracle: whether the live score was computed lately."""

from datetime import datetime
from typing import Any

from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle.presenters import is_healthy_run
from apps.platform.desk.health import CheckWording
from apps.platform.ledger.verification.verified_reads import filter_verified_records


def check_live_score(now: datetime) -> dict[str, Any]:
    """Check the last run: one that is late, has no score or fails its integrity check needs an
    operator.
    """
    last = EsgRun.objects.order_by("-slot").first()
    if last is None:
        return {"status": "degraded", "lastRunSeconds": None, "reason": "no run yet"}
    # an altered run is withheld from callers, so for them the oracle is down
    ours = bool(filter_verified_records([last]))
    reason = last.data.get("fault", "") if ours else "it failed its integrity check"
    age = {"lastRunSeconds": int((now - last.recorded_at).total_seconds())}
    health = {"status": "ok" if ours and is_healthy_run(last, now) else "degraded"} | age
    return health | ({"reason": reason} if reason else {})


def _describe_health(health: dict[str, Any]) -> list[str]:
    seconds = health["lastRunSeconds"]
    if seconds is None:
        return ["The live ESG score has not been computed yet."]
    sentences = [f"The live ESG score was computed {seconds // 60} minutes ago."]
    return sentences + ([f"It produced no score: {health['reason']}"] if "reason" in health else [])


WORDS = CheckWording("Live ESG score", _describe_health)
