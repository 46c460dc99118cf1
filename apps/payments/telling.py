"""Tells an institution what became of a payment: in its feed, and by callback at the end."""

from datetime import datetime

from apps.callbacks.publishing import publish
from apps.core.rendering import render
from apps.payments.models import Payment
from apps.payments.result import executed
from apps.payments.rules.lifecycle import FINAL
from apps.payments.serializers import PaymentOut


def tell(payment: Payment, *, now: datetime, corrects: bool = False) -> None:
    """Publish how a payment stands; part of the transaction that brought it there.

    The body is what GET answers (document 2 section 6). One that is HELD is told in the feed
    alone: callbacks tell of ends, and of one that it `corrects`.
    """
    publish(
        owner=payment.owner,
        event=f"payment.{payment.state.lower()}",
        subject=payment.payment_id,
        body=render(PaymentOut, executed(payment)),
        url=payment.callback_url if payment.state in FINAL or corrects else "",
        now=now,
    )
