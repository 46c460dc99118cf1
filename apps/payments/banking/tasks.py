"""Resume bank payments that have no job; the job `banking.sweep`."""

from datetime import datetime

from apps.payments.banking.services import route_deposit, submit_send


def enqueue_overdue_work(key: str, now: datetime) -> None:
    """Plan work that is overdue: payments to be quoted, and to be sent."""
    route_deposit.enqueue_overdue_routes(now)
    submit_send.enqueue_overdue_sends(now)
