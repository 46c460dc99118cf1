"""Looks after bank payments that nothing carries on; the job `banking.sweep`."""

from datetime import datetime

from apps.banking import onward, sending


def sweep(key: str, now: datetime) -> None:
    """Plan work for what should have gone on: payments to be quoted, and to be sent."""
    onward.sweep(now)
    sending.sweep(now)
