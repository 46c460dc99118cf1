"""Tells an institution what became of a payment: in its feed, and by callback at the end."""

from datetime import datetime

from apps.payments.models import Payment


def tell(payment: Payment, *, now: datetime) -> None:
    """Publish how a payment ended; part of the transaction that ended it."""
