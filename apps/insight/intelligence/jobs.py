"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.insight.intelligence.tasks import resolve_daily_forecasts
from apps.platform.jobs.registry import DAY, HOUR, JobSpec

JOBS = {
    "intelligence.resolve": JobSpec(
        handler=resolve_daily_forecasts,
        title="Record outcomes of regime predictions",
        lease=HOUR,
        every=DAY,
        stops="Predictions are not compared with outcomes: the ledger shows them as pending.",
    ),
}
