"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.callbacks.retention import blank_expired_bodies
from apps.payments.callbacks.tasks import send_due_callbacks, send_missed_callbacks
from apps.platform.jobs.registry import DAY, MINUTE, JobSpec
from config.lanes import CALLBACKS

JOBS = {
    "callbacks.send": JobSpec(
        handler=send_due_callbacks,
        title="Send due callbacks",
        lane=CALLBACKS,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE),
    ),
    "callbacks.sweep": JobSpec(
        handler=send_missed_callbacks,
        title="Resume callbacks whose sender stopped",
        lane=CALLBACKS,
        every=MINUTE,
        retries=(),
        stops="Callbacks whose sender stopped are not sent again.",
        vital=True,
    ),
    "callbacks.tidy": JobSpec(
        handler=blank_expired_bodies,
        title="Delete the bodies of callbacks after their retention",
        every=DAY,
        stops="Bodies of callbacks, with their personal data, are kept forever.",
    ),
}
