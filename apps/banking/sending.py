"""Has the bank send what was taken: claimed, asked outside any transaction, noted once.

The bank is told the same key however often it is asked, and pays once for it. Whoever dies between
the call and the note leaves a row that is TAKEN, and the next run asks again. That an answer is
lost is kept: what the bank refuses after that may have gone all the same.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q

from apps.banking import adapter, recipients, screens, unclear
from apps.banking.adapter import NotTaken, Taken
from apps.banking.cases import log_blocked, stopped_by
from apps.banking.folding import locked
from apps.banking.following import catch_up
from apps.banking.judging import SEND
from apps.banking.models import BankTransaction, Send
from apps.banking.moving import move
from apps.banking.onward import ROUTE
from apps.banking.projection import BankRowUnproved, proved
from apps.banking.rules.numbers import provider_purpose
from apps.banking.rules.troubles import TWO_WITH_ONE_ID, UNCLEAR
from apps.banking.rules.words import answered
from apps.banking.screens import Looked
from apps.core import jobs
from apps.core.clock import SKEW
from apps.upstreams.http import NotCalled, UpstreamError

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

    Raises jobs.Again while another run asks the bank, and where it is to be asked again. A time
    that is further ahead than any is was chosen by a clock that has been set back: a try is due,
    and a call has its lease from now.
    """
    row = _claimed(int(key or 0), now)
    if row is None:
        return
    try:
        taken = _asked(row, now)
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
    if row.due_at is not None and now < row.due_at <= now + _wait(row.tries - 1) + SKEW:
        raise jobs.Again(row.due_at)
    free = Q(calling_until=None) | Q(calling_until__lte=now)
    if not Send.objects.filter(free, pk=number, state="TAKEN").update(calling_until=now + LEASE):
        raise jobs.Again(_called_until(row, now))
    try:
        proved([row])
        proved([row.recipient])
    except BankRowUnproved:
        return None  # the ledger's verification tells of it; nothing is sent
    return row


def _called_until(row: Send, now: datetime) -> datetime:
    """Return when the call of another run is over; no lease is longer from now than any is."""
    until = row.calling_until or now + LEASE
    if until <= now + LEASE + SKEW:
        return until
    Send.objects.filter(pk=row.pk, calling_until=until).update(calling_until=now + LEASE)
    return now + LEASE


def _asked(row: Send, now: datetime) -> Taken | None:
    """Ask the bank; None where the payment went no further. UpstreamError."""
    if now - row.asked_at > LOOKED_FOR:
        looked = screens.look(screens.of_recipient(row.recipient), now=now)
        if looked.blocked:
            return _over(row, "STOPPED", {"sanctions": looked.recorded()}, now, looked=looked)
    if not recipients.saved(row.recipient, now=now):
        return _over(row, "REFUSED", {"status": 0}, now)
    try:
        return _told(row)
    except NotTaken as error:
        return _over(row, "REFUSED", {"status": error.status}, now)


def _told(row: Send) -> Taken:
    """Have the bank pay, marked first: who dies meanwhile, or hears nothing clear, leaves that."""
    held = Send.objects.filter(pk=row.pk, steps=row.steps)
    held.update(unclear=True)
    try:
        return adapter.send(str(row.account_id), body_of(row))
    except NotCalled:
        held.update(unclear=row.unclear)
        raise


def _over(
    row: Send, event: str, facts: Mapping[str, Any], now: datetime, looked: Looked | None = None
) -> Taken | None:
    """End a payment that is not to be sent or is not taken, or find that the bank took it.

    After a call without a clear answer it may have gone: then the bank's statement is asked, and an
    officer where that does not have it. `looked` is the screen that blocks it by now.
    """
    if not row.unclear:
        # kept of what the bank answered, so that the caller is told why
        at_bank = answered(facts.get("status", 0))
        with transaction.atomic():
            move(row, event, now=now, facts=facts, due_at=None, unclear=False, bank_status=at_bank)
            if looked is not None:
                log_blocked(row, stopped_by(looked), looked=looked, now=now)
        return None
    found = unclear.find(row, now=now)
    if found.taken is None:
        with transaction.atomic():
            unclear.hold(row, UNCLEAR, facts=dict(facts) | {"alike": list(found.alike)}, now=now)
    return found.taken


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


def _wait(tries: int) -> timedelta:
    """Return how long after so many tries, and one, the next is due; nothing after none."""
    return WAITS[min(tries, len(WAITS) - 1)] if tries >= 0 else timedelta()


def _later(row: Send, error: UpstreamError, now: datetime) -> datetime:
    logger.warning("payment %s waits for the bank: %s", row.pk, type(error).__name__)
    again = now + _wait(row.tries)
    loose: Mapping[str, Any] = {"due_at": again, "tries": row.tries + 1, "calling_until": None}
    Send.objects.filter(pk=row.pk, steps=row.steps).update(**loose, trouble=str(error)[:300])
    return again


def _noted(row: Send, taken: Taken, now: datetime) -> None:
    """Note that the bank has taken a payment; what the webhook told of it first is routed now."""
    with transaction.atomic():
        locked(taken.bank_id, now=now)  # a delivery of it comes before, or finds the payment
        if Send.objects.filter(bank_id=taken.bank_id).exists():
            unclear.hold(row, TWO_WITH_ONE_ID, facts={"bankId": taken.bank_id}, now=now)
            return
        move(
            row,
            "SENT",
            now=now,
            bank_id=taken.bank_id,
            bank_status=taken.status,
            sent_at=now,
            due_at=None,
            unclear=False,
        )
        told = BankTransaction.objects.filter(resource_id=taken.bank_id) if row.svc_route else ()
        for one in told:
            jobs.enqueue(job=ROUTE, key=str(one.pk), now=now)
    catch_up(taken.bank_id, answered=taken.status, now=now)


def sweep(now: datetime) -> None:
    """Plan work for payments that should have been sent and that nothing carries."""
    late = Send.objects.filter(state="TAKEN", due_at__lt=now - OVERDUE).order_by("due_at")
    for number in late.values_list("pk", flat=True)[:SWEPT_AT_ONCE]:
        jobs.enqueue(job=SEND, key=str(number), now=now)
