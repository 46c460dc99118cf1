"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.backoffice.oversight.tasks import sample_previous_month
from apps.platform.jobs.registry import DAY, JobSpec

JOBS = {
    "oversight.sample": JobSpec(
        handler=sample_previous_month,
        title="Sample last month's closed cases",
        every=DAY,
        stops="No closed case is sampled for a second review.",
    ),
}
