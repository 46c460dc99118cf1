"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.payments.fair_queue import advance_payment_in_turn
from apps.payments.payments.services.advance_payment import enqueue_overdue_payments
from apps.platform.jobs.registry import MINUTE, JobSpec
from config.lanes import PAYMENTS

JOBS = {
    "payments.advance": JobSpec(
        handler=advance_payment_in_turn,
        title="Process a payment: check, price, settle",
        lane=PAYMENTS,
        lease=MINUTE,
    ),
    "payments.sweep": JobSpec(
        handler=enqueue_overdue_payments,
        title="Resume stalled payments",
        every=MINUTE,
        retries=(),
        stops="A payment whose job was lost makes no progress.",
        vital=True,
    ),
}
