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

from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import AcceptedPayment, RefusedByBank
from apps.payments.banking.integrity import BankRowIntegrityError, verify_rows
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.rules.account_numbers import build_provider_purpose
from apps.payments.banking.rules.messages import format_bank_status
from apps.payments.banking.rules.troubles import TWO_WITH_ONE_ID, UNCLEAR
from apps.payments.banking.screening.screens import ScreeningOutcome
from apps.payments.banking.services import recheck_send, recipients, resolve_unknown
from apps.payments.banking.services.authorize_send import SEND_JOB
from apps.payments.banking.services.cases import log_blocked_send, stopping_rule_of
from apps.payments.banking.services.route_deposit import ROUTE_JOB
from apps.payments.banking.services.update_send_status import catch_up_send_status
from apps.payments.banking.transaction_state import lock_transaction
from apps.payments.banking.transitions import record_transition
from apps.platform.common.clock import SKEW
from apps.platform.jobs import job_queue
from apps.platform.upstreams.http import NotCalled, UpstreamError

logger = logging.getLogger(__name__)
LEASE = timedelta(minutes=1)  # a call takes twenty seconds at most
RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(minutes=30),
)
OVERDUE = timedelta(minutes=2)
SWEEP_BATCH_SIZE = 500


def submit_send(key: str, now: datetime) -> None:
    """Have a payment sent; the job `banking.send`, whose key is its number.

    Raises RetryLater while another run asks the bank, and where it is to be asked again. A time
    that is further ahead than any is was chosen by a clock that has been set back: a try is due,
    and a call has its lease from now.
    """
    row = _claim_send(int(key or 0), now)
    if row is None:
        return
    try:
        taken = _recheck_and_submit(row, now)
    except BankRowIntegrityError:
        return  # the ledger's verification tells of it; nothing is sent
    except UpstreamError as error:
        raise job_queue.RetryLater(_schedule_retry(row, error, now)) from None
    if taken is not None:
        _record_sent(row, taken, now)


def _claim_send(number: int, now: datetime) -> Send | None:
    """Take a payment for one call; None where nothing is to be sent."""
    sends = Send.objects.select_related("recipient").filter(pk=number, state="TAKEN")
    row = sends.first()
    if row is None:
        return None
    if row.due_at is not None and now < row.due_at <= now + _retry_delay(row.tries - 1) + SKEW:
        raise job_queue.RetryLater(row.due_at)
    free = Q(calling_until=None) | Q(calling_until__lte=now)
    if not Send.objects.filter(free, pk=number, state="TAKEN").update(calling_until=now + LEASE):
        raise job_queue.RetryLater(_load_lease_end(row, now))
    try:
        verify_rows([row])
        verify_rows([row.recipient])
    except BankRowIntegrityError:
        return None  # the ledger's verification tells of it; nothing is sent
    return row


def _load_lease_end(row: Send, now: datetime) -> datetime:
    """Return when the call of another run is over; no lease is longer from now than any is."""
    until = row.calling_until or now + LEASE
    if until <= now + LEASE + SKEW:
        return until
    Send.objects.filter(pk=row.pk, calling_until=until).update(calling_until=now + LEASE)
    return now + LEASE


def _recheck_and_submit(row: Send, now: datetime) -> AcceptedPayment | None:
    """Ask the bank; None where the payment went no further. UpstreamError."""
    found = recheck_send.recheck_send(row, now=now)
    if found is not None and found.blocks:
        looked = found.looked if found.looked.blocked else None
        known = {"sanctions": found.looked.recorded()}
        return _end_unsent(row, "STOPPED", known, now, screening_outcome=looked)
    # after a call without a clear answer it may have gone: to hold it then would undo nothing
    if found is not None and found.held.findings and not row.unclear:
        recheck_send.hold_rechecked_send(row, found, now=now)
        return None
    if not recipients.ensure_recipient_saved(row.recipient, now=now):
        return _end_unsent(row, "REFUSED", {"status": 0}, now)
    try:
        # have the bank pay, marked first: who dies meanwhile, or hears nothing clear, leaves that
        sends = Send.objects.filter(pk=row.pk, steps=row.steps)
        sends.update(unclear=True)
        try:
            return bank_api.send_payment(str(row.account_id), build_payment_body(row))
        except NotCalled:
            sends.update(unclear=row.unclear)
            raise
    except RefusedByBank as error:
        return _end_unsent(row, "REFUSED", {"status": error.status}, now)


def _end_unsent(
    row: Send,
    event: str,
    facts: Mapping[str, Any],
    now: datetime,
    screening_outcome: ScreeningOutcome | None = None,
) -> AcceptedPayment | None:
    """End a payment that is not to be sent or is not taken, or find that the bank took it.

    After a call without a clear answer it may have gone: then the bank's statement is asked, and an
    officer where that does not have it. `looked` is the screen that blocks it by now.
    """
    if not row.unclear:
        # kept of what the bank answered, so that the caller is told why
        at_bank = format_bank_status(facts.get("status", 0))
        with transaction.atomic():
            record_transition(
                row, event, now=now, facts=facts, due_at=None, unclear=False, bank_status=at_bank
            )
            if screening_outcome is not None:
                log_blocked_send(
                    row, stopping_rule_of(screening_outcome), looked=screening_outcome, now=now
                )
        return None
    found = resolve_unknown.find_on_statement(row, now=now)
    if found.taken is None:
        with transaction.atomic():
            resolve_unknown.refer_unclear_send(
                row, UNCLEAR, facts=dict(facts) | {"alike": list(found.alike)}, now=now
            )
    return found.taken


def build_payment_body(row: Send) -> dict[str, Any]:
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
        found["purpose"] = build_provider_purpose(row.category, row.additional_info)
    return found


def _retry_delay(tries: int) -> timedelta:
    """Return how long after so many tries, and one, the next is due; nothing after none."""
    return RETRY_DELAYS[min(tries, len(RETRY_DELAYS) - 1)] if tries >= 0 else timedelta()


def _schedule_retry(row: Send, error: UpstreamError, now: datetime) -> datetime:
    logger.warning("payment %s waits for the bank: %s", row.pk, type(error).__name__)
    again = now + _retry_delay(row.tries)
    loose: Mapping[str, Any] = {"due_at": again, "tries": row.tries + 1, "calling_until": None}
    Send.objects.filter(pk=row.pk, steps=row.steps).update(**loose, trouble=str(error)[:300])
    return again


def _record_sent(row: Send, accepted_payment: AcceptedPayment, now: datetime) -> None:
    """Note that the bank has taken a payment; what the webhook told of it first is routed now."""
    with transaction.atomic():
        lock_transaction(
            accepted_payment.bank_id, now=now
        )  # a delivery of it comes before, or finds the payment
        if Send.objects.filter(bank_id=accepted_payment.bank_id).exists():
            resolve_unknown.refer_unclear_send(
                row, TWO_WITH_ONE_ID, facts={"bankId": accepted_payment.bank_id}, now=now
            )
            return
        record_transition(
            row,
            "SENT",
            now=now,
            bank_id=accepted_payment.bank_id,
            bank_status=accepted_payment.status,
            sent_at=now,
            due_at=None,
            unclear=False,
        )
        bank_transactions = (
            BankTransaction.objects.filter(resource_id=accepted_payment.bank_id)
            if row.svc_route
            else ()
        )
        for bank_transaction in bank_transactions:
            job_queue.enqueue_job(job=ROUTE_JOB, key=str(bank_transaction.pk), now=now)
    catch_up_send_status(accepted_payment.bank_id, answered=accepted_payment.status, now=now)


def enqueue_overdue_sends(now: datetime) -> None:
    """Plan work for payments that should have been sent and that nothing carries."""
    late = Send.objects.filter(state="TAKEN", due_at__lt=now - OVERDUE).order_by("due_at")
    for number in late.values_list("pk", flat=True)[:SWEEP_BATCH_SIZE]:
        job_queue.enqueue_job(job=SEND_JOB, key=str(number), now=now)
