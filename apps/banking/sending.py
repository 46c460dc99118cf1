"""Has the bank send what was taken: claimed, asked outside any transaction, noted once.

The bank is told the same key however often it is asked, and pays once for it. Whoever dies between
the call and the note leaves a row that is TAKEN, and the next run asks again.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.banking import adapter, recipients, sanctions
from apps.banking.adapter import NotTaken, Taken
from apps.banking.models import BankTransaction, Send
from apps.banking.moving import move
from apps.banking.onward import ROUTE
from apps.banking.projection import BankRowUnproved, proved
from apps.banking.rules.numbers import provider_purpose
from apps.banking.sends import SEND
from apps.core import jobs
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
LEASE = timedelta(minutes=1)  # a call takes twenty seconds at most
WAITS = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(minutes=30),
)
OVERDUE = timedelta(minutes=2)
SWEPT_AT_ONCE = 500
LOOKED_FOR = timedelta(minutes=5)


def send(key: str, now: datetime) -> None:
    """Have a payment sent; the job `banking.send`, whose key is its number.

    Raises jobs.Again while another run asks the bank, and where it is to be asked again.
    """
    row = _claimed(int(key or 0), now)
    if row is None:
        return
    try:
        taken = _asked(row, now)
    except NotTaken as error:
        with transaction.atomic():
            move(row, "REFUSED", now=now, facts={"status": error.status}, due_at=None)
        return
    except UpstreamError as error:
        raise jobs.Again(_later(row, error, now)) from None
    if taken is not None:
        _noted(row, taken, now)


def _claimed(number: int, now: datetime) -> Send | None:
    """Take a payment for one call; None where nothing is to be sent."""
    found = Send.objects.select_related("recipient").filter(pk=number, state="TAKEN")
    row = found.first()
    if row is None:
        return None
    if row.due_at is not None and row.due_at > now:
        raise jobs.Again(row.due_at)
    free = Q(calling_until=None) | Q(calling_until__lte=now)
    if not Send.objects.filter(free, pk=number, state="TAKEN").update(calling_until=now + LEASE):
        raise jobs.Again(row.calling_until or now + LEASE)
    try:
        proved([row])
        proved([row.recipient])
    except BankRowUnproved:
        return None  # the ledger's verification tells of it; nothing is sent
    return row


def _asked(row: Send, now: datetime) -> Taken | None:
    """Ask the bank; None where the payment may not be sent any more. NotTaken, UpstreamError."""
    if now - row.asked_at > LOOKED_FOR and _stopped(row, now):
        return None
    if not recipients.saved(row.recipient, now=now):
        raise NotTaken(0)
    return adapter.send(str(row.account_id), body_of(row))


def _stopped(row: Send, now: datetime) -> bool:
    """Hold the recipient against the lists as they are now, where some time has passed."""
    looked = sanctions.look([row.recipient.name], now=now)
    if not looked.listed:
        return False
    with transaction.atomic():
        move(row, "STOPPED", now=now, facts={"sanctions": looked.recorded()}, due_at=None)
    return True


def body_of(row: Send) -> dict[str, Any]:
    """Return a payment as the bank's API takes it."""
    found: dict[str, Any] = {
        "recipientId": row.recipient.bank_id,
        "amount": Decimal(row.amount),
        "paymentMethod": row.method,
        "idempotencyKey": str(row.bank_key),
    }
    if row.note:
        found["note"] = row.note
    if row.category:
        found["purpose"] = provider_purpose(row.category, row.additional_info)
    return found


def _later(row: Send, error: UpstreamError, now: datetime) -> datetime:
    logger.warning("payment %s waits for the bank: %s", row.pk, type(error).__name__)
    again = now + WAITS[min(row.tries, len(WAITS) - 1)]
    loose: Mapping[str, Any] = {"due_at": again, "tries": row.tries + 1, "calling_until": None}
    Send.objects.filter(pk=row.pk, steps=row.steps).update(**loose, trouble=str(error)[:300])
    return again


def _noted(row: Send, taken: Taken, now: datetime) -> None:
    """Note that the bank has taken a payment; what the webhook told of it first is routed now."""
    with transaction.atomic():
        move(
            row,
            "SENT",
            now=now,
            bank_id=taken.bank_id,
            bank_status=taken.status,
            sent_at=now,
            due_at=None,
        )
        told = BankTransaction.objects.filter(resource_id=taken.bank_id) if row.svc_route else ()
        for one in told:
            jobs.enqueue(job=ROUTE, key=str(one.pk), now=now)


def sweep(now: datetime) -> None:
    """Plan work for payments that should have been sent and that nothing carries."""
    late = Send.objects.filter(state="TAKEN", due_at__lt=now - OVERDUE).order_by("due_at")
    for number in late.values_list("pk", flat=True)[:SWEPT_AT_ONCE]:
        jobs.enqueue(job=SEND, key=str(number), now=now)
