"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.payments.pain001.services.process_file import accept_file
from apps.payments.payments.pain001.tasks import delete_expired_files, enqueue_unfinished_files
from apps.platform.jobs.registry import DAY, MINUTE, JobSpec

JOBS = {
    "pain001.work": JobSpec(
        handler=accept_file,
        title="Create payments from the transactions of a file",
        lease=2 * MINUTE,
    ),
    "pain001.sweep": JobSpec(
        handler=enqueue_unfinished_files,
        title="Resume stalled payment files",
        every=MINUTE,
        retries=(),
        stops="A payment file whose job was lost makes no progress.",
        vital=True,
    ),
    "pain001.tidy": JobSpec(
        handler=delete_expired_files,
        title="Delete payment files after their retention",
        every=DAY,
        stops="Payment files, with the names and wallets in them, are never deleted.",
    ),
}
