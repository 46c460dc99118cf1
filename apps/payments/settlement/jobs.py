"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.settlement.retention import delete_old_rehearsals
from apps.platform.jobs.registry import DAY, HOUR, JobSpec

JOBS = {
    "settlement.tidy": JobSpec(
        handler=delete_old_rehearsals,
        title="Remove old rehearsals of settlements",
        every=DAY,
        first=HOUR,
        retries=(),
        stops="Old rehearsals of settlements are not deleted, and the database grows.",
    ),
}
