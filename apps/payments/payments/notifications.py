"""Notify an institution of a payment: in its feed, and by callback at the end."""

from datetime import datetime

from apps.payments.callbacks.services.publish_event import publish_event
from apps.payments.payments.models import Payment
from apps.payments.payments.presenters import serialize_payment_with_execution
from apps.payments.payments.rules.transitions import FINAL
from apps.payments.payments.serializers import PaymentOut
from apps.platform.api.representation import render_answer


def publish_payment_status(payment: Payment, *, now: datetime, corrects: bool = False) -> None:
    """Publish a payment's status; part of the transaction that changed it.

    The body is the answer of GET (document 2 section 6). A HELD payment is only published in the
    feed: callbacks report final states, and a correction of one (`corrects`).
    """
    publish_event(
        owner=payment.owner,
        event=f"payment.{payment.state.lower()}",
        subject=payment.payment_id,
        # rendered now: a callback reports the state of its time, however late it arrives
        body=render_answer(PaymentOut, serialize_payment_with_execution(payment)),
        url=payment.callback_url if payment.state in FINAL or corrects else "",
        now=now,
    )
