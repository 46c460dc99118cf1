"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.platform.jobs.registry import HOUR, JobSpec
from apps.reference.watchlists.tasks import refresh_lists

JOBS = {
    "watchlists.refresh": JobSpec(
        handler=refresh_lists,
        title="Refresh the official lists",
        upstream=True,
        lease=HOUR,
        every=6 * HOUR,
        stops="No list is refreshed: all grow too old, and screens are refused.",
        vital=True,
    ),
}
