"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.backoffice.review.tasks import escalate_overdue, wake_known
from apps.platform.jobs.registry import DAY, MINUTE, JobSpec

JOBS = {
    "review.escalate_overdue": JobSpec(
        handler=escalate_overdue,
        title="Escalate cases that are past due",
        every=5 * MINUTE,
        retries=(),
        stops="Overdue cases stay where they are: no senior officer is notified.",
        vital=True,
    ),
    "review.wake_known": JobSpec(
        handler=wake_known,
        title="Reopen known false positives whose listed entry changed",
        every=DAY,
        stops="A known false positive sleeps on although its listed entry changed.",
    ),
}
