"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.insight.intelligence.tasks import resolve_daily_forecasts
from apps.platform.jobs.registry import DAY, HOUR, JobSpec

JOBS = {
    "intelligence.resolve": JobSpec(
        handler=resolve_daily_forecasts,
        title="Write what came of foretold regimes",
        lease=HOUR,
        every=DAY,
        stops="What was foretold is not held against what came: the ledger shows it as pending.",
    ),
}
