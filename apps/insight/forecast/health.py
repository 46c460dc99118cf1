"""Health of the forecasts: whether they were computed lately, and of which markets not."""

from datetime import datetime, timedelta
from typing import Any

from apps.insight.forecast.models import ForecastRun
from apps.platform.desk.health import CheckWording
from apps.platform.ledger.verification.verified_reads import filter_verified_records

# a run is due every hour, and requests compute one themselves if there is none
LATE = timedelta(hours=3)


def check_forecasts(now: datetime) -> dict[str, Any]:
    """Check the last run: one that is late or fails its integrity check needs an operator."""
    last = ForecastRun.objects.order_by("-slot").first()
    if last is None:
        return {"status": "degraded", "lastRunSeconds": None, "reason": "no run yet"}
    ours = bool(filter_verified_records([last]))
    seconds = int((now - last.recorded_at).total_seconds())
    good = ours and now - last.recorded_at <= LATE
    health = {"status": "ok" if good else "degraded", "lastRunSeconds": seconds}
    return health if ours else health | {"reason": "it failed its integrity check"}


def _describe_health(health: dict[str, Any]) -> list[str]:
    seconds = health["lastRunSeconds"]
    if seconds is None:
        return ["The forecasts have not been computed yet."]
    sentences = [f"The forecasts were computed {seconds // 60} minutes ago."]
    return sentences + (
        [f"The record cannot be used: {health['reason']}."] if "reason" in health else []
    )


WORDS = CheckWording("Forecasts", _describe_health)
