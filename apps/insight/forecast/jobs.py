"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.insight.forecast.tasks import resolve_outlooks, run_forecast
from apps.platform.jobs.registry import DAY, HOUR, MINUTE, JobSpec

JOBS = {
    "forecast.run": JobSpec(
        handler=run_forecast,
        title="Compute the commodity forecasts",
        lease=10 * MINUTE,
        every=HOUR,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The first request of each hour computes the forecasts, and days may lack outlooks "
        "to score.",
    ),
    "forecast.resolve": JobSpec(
        handler=resolve_outlooks,
        title="Record how prices moved after outlooks",
        lease=HOUR,
        every=DAY,
        stops="Outlooks are not compared with outcomes: the page shows them as pending.",
    ),
}
