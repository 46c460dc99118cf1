"""Looks after bank payments that nothing carries on; the job `banking.sweep`."""

from datetime import datetime

from apps.payments.banking.services import route_deposit, submit_send


def enqueue_overdue_work(key: str, now: datetime) -> None:
    """Plan work for what should have gone on: payments to be quoted, and to be sent."""
    route_deposit.enqueue_overdue_routes(now)
    submit_send.enqueue_overdue_sends(now)
