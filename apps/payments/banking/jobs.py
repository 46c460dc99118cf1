"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.payments.banking.services.recipients import save_pending_recipient
from apps.payments.banking.services.reconciliation import reconcile_statements
from apps.payments.banking.services.route_deposit import route_waiting_deposit
from apps.payments.banking.services.submit_send import submit_send
from apps.payments.banking.tasks import enqueue_overdue_work
from apps.platform.jobs.registry import DAY, HOUR, MINUTE, JobSpec

JOBS = {
    "banking.route": JobSpec(
        handler=route_waiting_deposit,
        title="Have a tagged bank payment quoted",
        lease=2 * MINUTE,
    ),
    "banking.save_recipient": JobSpec(
        handler=save_pending_recipient,
        title="Save a recipient at the bank",
        upstream=True,
        lease=2 * MINUTE,
    ),
    "banking.send": JobSpec(
        handler=submit_send,
        title="Have the bank send a payment",
        upstream=True,
        lease=2 * MINUTE,
        retries=(MINUTE, 5 * MINUTE, 30 * MINUTE),
    ),
    "banking.reconcile": JobSpec(
        handler=reconcile_statements,
        title="Compare payments with the bank's statement",
        upstream=True,
        lease=HOUR,
        every=DAY,
        stops="Payments are not compared with the bank's statement: a difference stays unnoticed.",
    ),
    "banking.sweep": JobSpec(
        handler=enqueue_overdue_work,
        title="Resume stalled bank payments",
        every=MINUTE,
        retries=(),
        stops="A tagged bank payment whose job was lost is not quoted.",
        vital=True,
    ),
}
