"""Addresses of the benchmark's server: the platform's own, and the ceiling beside them.

The ceiling is the row of `payments/initiate` that makes nothing of an instruction: the same gate,
reading, rendering and transaction with a row and a ledger record as large, and a plain job, with
an answer that was made beforehand.
"""

import uuid
from datetime import datetime
from typing import Any

from apps.payments.payments.api.viewsets import PaymentViewSet
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.presenters import serialize_payment
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.db.compiled_statements import insert_row
from apps.platform.jobs import job_queue
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform

STANDS = "0" * 64
_said: list[dict[str, Any]] = []
# the same instruction each time: nothing is looked at
KEPT: dict[str, Any] = {
    "reference": "x" * 20,
    "amount": "250",
    "currency": "USD",
    "asset": "USDC",
    "creditor": {"name": "x" * 30, "wallet": "0x" + "1" * 40},
    "debtor": {"name": "x" * 20, "lei": "x" * 20, "wallet": "0x" + "2" * 40},
}


def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Write a row, a record and a job, and answer what the first one was told."""
    payment = Payment(
        payment_id=uuid.uuid4(), owner=caller.ref, reference=asked.reference, fingerprint=STANDS,
        instruction=KEPT, state="SUBMITTED", steps=1, amount=250, currency="USD", asset="USDC",
        creditor_key="x" * 30, debtor_key="x" * 20, creditor_wallet="0x" + "1" * 40,
        debtor_wallet="0x" + "2" * 40, submitted_at=now, due_at=now,
    )  # fmt: skip
    insert_row(payment)
    PaymentEvent.write(
        payload={"stands": STANDS, "instruction": KEPT},
        now=now,
        payment_id=payment.pk,
        number=1,
        event="ACCEPTED",
        state="SUBMITTED",
        turn="PAY-1",
    )
    job_queue.enqueue_job(job="payments.advance", key=str(payment.pk), now=now)
    if not _said:
        _said.append(serialize_payment(payment))
    return Answer(_said[0], status=202)


CEILING = ceiling_urls("integration", PaymentViewSet, conclude=conclude)
urlpatterns = [*CEILING, *platform]
