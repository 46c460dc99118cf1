"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.platform.jobs.registry import DAY, HOUR, JobSpec
from apps.reference.lei.tasks import complete_chain, refresh_in_use

JOBS = {
    "lei.complete_chain": JobSpec(
        handler=complete_chain,
        title="Ask GLEIF for the owners of an entity",
        upstream=True,
    ),
    "lei.refresh_in_use": JobSpec(
        handler=refresh_in_use,
        title="Ask GLEIF again for the LEIs in use",
        upstream=True,
        lease=2 * HOUR,
        every=DAY,
        stops="LEIs in use are not looked up again: data about owners becomes outdated.",
    ),
}
