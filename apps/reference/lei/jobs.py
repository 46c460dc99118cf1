"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.platform.jobs.registry import DAY, HOUR, JobSpec
from apps.reference.lei.tasks import complete_chain, refresh_in_use

JOBS = {
    "lei.complete_chain": JobSpec(
        handler=complete_chain,
        title="Fetch the owners of an entity from GLEIF",
        upstream=True,
    ),
    "lei.refresh_in_use": JobSpec(
        handler=refresh_in_use,
        title="Refresh the LEIs in use from GLEIF",
        upstream=True,
        lease=2 * HOUR,
        every=DAY,
        stops="LEIs in use are not refreshed: their data and owners become outdated.",
    ),
}
