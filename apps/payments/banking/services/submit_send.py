"""Submit accepted payments to the bank: claimed, called outside any transaction, noted once.

Every repeat of a payment's request uses the same key, and the bank pays once for it. A process that
dies between the call and the note leaves a TAKEN row, and the next run calls again. A lost answer
is noted: a payment that the bank refuses after that may have gone nevertheless.
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
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.failure_messages import format_bank_status
from apps.payments.banking.rules.retries import OVERDUE, RETRY_DELAYS
from apps.payments.banking.rules.send_fields import build_provider_purpose
from apps.payments.banking.rules.send_troubles import TWO_WITH_ONE_ID, UNCLEAR
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.services import recheck_send, recipients, resolve_unknown
from apps.payments.banking.services.judge_send import SEND_JOB
from apps.payments.banking.services.log_blocked_send import log_blocked_send
from apps.payments.banking.services.route_deposit import ROUTE_JOB
from apps.payments.banking.services.send_cases import stopping_rule_of
from apps.payments.banking.services.update_send_status import catch_up_send_status
from apps.payments.banking.transaction_rows import lock_transaction
from apps.platform.common.clock import SKEW
from apps.platform.jobs import job_queue
from apps.platform.upstreams.http import NotCalled, UpstreamError

logger = logging.getLogger(__name__)
# a call to the bank takes twenty seconds at most, and there are two: the recipient and the payment
LEASE = timedelta(minutes=1)
SWEEP_BATCH_SIZE = 500


def submit_send(key: str, now: datetime) -> None:
    """Submit a payment; the job `banking.send`, whose key is its number.

    Raises RetryLater while another run calls the bank, and if the call must be repeated.
    """
    row = _claim_send(int(key or 0), now)
    if row is None:
        return
    try:
        taken = _recheck_and_submit(row, now)
    except BankRowIntegrityError:
        return  # the ledger's verification reports it; nothing is sent
    except UpstreamError as error:
        logger.warning("payment %s waits for the bank: %s", row.pk, type(error).__name__)
        again = now + _retry_delay(row.tries)
        loose: Mapping[str, Any] = {"due_at": again, "tries": row.tries + 1, "calling_until": None}
        # the lease ends with the run, so that the retry need not wait for it
        Send.objects.filter(pk=row.pk, steps=row.steps).update(**loose, trouble=str(error)[:300])
        raise job_queue.RetryLater(again) from None
    if taken is not None:
        # what the webhook reported of the payment before the bank answered is routed now
        with transaction.atomic():
            # a delivery about it either comes before this, or finds the payment
            lock_transaction(taken.bank_id, now=now)
            # unique at the bank: a second payment of ours with one id is an error that people must
            # resolve
            if Send.objects.filter(bank_id=taken.bank_id).exists():
                resolve_unknown.refer_unclear_send(
                    row, TWO_WITH_ONE_ID, facts={"bankId": taken.bank_id}, now=now
                )
                return
            record_transition(
                row,
                "SENT",
                now=now,
                bank_id=taken.bank_id,
                bank_status=taken.status,
                sent_at=now,
                due_at=None,
                unclear=False,
            )
            bank_transactions = (
                BankTransaction.objects.filter(resource_id=taken.bank_id) if row.svc_route else ()
            )
            for bank_transaction in bank_transactions:
                job_queue.enqueue_job(job=ROUTE_JOB, key=str(bank_transaction.pk), now=now)
        catch_up_send_status(taken.bank_id, answered=taken.status, now=now)


def _claim_send(number: int, now: datetime) -> Send | None:
    """Claim a payment for one call; None if nothing is to be sent."""
    sends = Send.objects.select_related("recipient").filter(pk=number, state="TAKEN")
    row = sends.first()
    if row is None:
        return None
    # a time further ahead than any delay was chosen by a clock that has been set back: it is due
    # now
    if row.due_at is not None and now < row.due_at <= now + _retry_delay(row.tries - 1) + SKEW:
        raise job_queue.RetryLater(row.due_at)
    free = Q(calling_until=None) | Q(calling_until__lte=now)
    # compare-and-set: of two runs one gets the lease, without holding a lock during the call
    if not Send.objects.filter(free, pk=number, state="TAKEN").update(calling_until=now + LEASE):
        # a lease that ends later than possible is shortened: a clock was wrong
        until = row.calling_until or now + LEASE
        if until <= now + LEASE + SKEW:
            lease_end = until
        else:
            Send.objects.filter(pk=row.pk, calling_until=until).update(calling_until=now + LEASE)
            lease_end = now + LEASE
        raise job_queue.RetryLater(lease_end)
    try:
        verify_rows([row])
        verify_rows([row.recipient])
    except BankRowIntegrityError:
        return None  # the ledger's verification reports it; nothing is sent
    return row


def _recheck_and_submit(row: Send, now: datetime) -> AcceptedPayment | None:
    """Recheck a payment and call the bank; None if it was stopped or held. UpstreamError."""
    send_recheck = recheck_send.recheck_send(row, now=now)
    # a block on the current lists stops it even after a release
    if send_recheck is not None and send_recheck.blocks:
        screening_outcome = send_recheck.looked if send_recheck.looked.blocked else None
        known = {"sanctions": send_recheck.looked.recorded()}
        return _end_unsent(row, "STOPPED", known, now, screening_outcome=screening_outcome)
    # after a call without a clear answer it may have gone: holding it would undo nothing
    if send_recheck is not None and send_recheck.held.findings and not row.unclear:
        recheck_send.hold_rechecked_send(row, send_recheck, now=now)
        return None
    # the bank pays by its own id of a recipient, which a job may not have saved yet
    if not recipients.ensure_recipient_saved(row.recipient, now=now):
        return _end_unsent(row, "REFUSED", {"status": 0}, now)
    try:
        # mark the row before the call, so that a crash or an unclear answer leaves the mark
        sends = Send.objects.filter(pk=row.pk, steps=row.steps)
        sends.update(unclear=True)
        try:
            return bank_api.send_payment(str(row.account_id), build_payment_body(row))
        except NotCalled:
            # nothing was sent, so this attempt leaves no doubt; an earlier one may have
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
    """End a payment that is not sent or not accepted, or find that the bank accepted it.

    After a call without a clear answer it may have gone: then the bank's statement is searched, and
    an officer decides if it is not there. `screening_outcome` is the screen that blocks it now.
    """
    if not row.unclear:
        # the bank's answer is kept, so that the caller learns the reason
        at_bank = format_bank_status(facts.get("status", 0))
        with transaction.atomic():
            record_transition(
                row, event, now=now, facts=facts, due_at=None, unclear=False, bank_status=at_bank
            )
            if screening_outcome is not None:
                log_blocked_send(
                    row,
                    stopping_rule_of(screening_outcome),
                    screening_outcome=screening_outcome,
                    now=now,
                )
        return None
    statement_lookup = resolve_unknown.find_on_statement(row, now=now)
    if statement_lookup.taken is None:
        with transaction.atomic():
            resolve_unknown.refer_unclear_send(
                row, UNCLEAR, facts=dict(facts) | {"alike": list(statement_lookup.alike)}, now=now
            )
    return statement_lookup.taken


def build_payment_body(row: Send) -> dict[str, Any]:
    """Return a payment as the bank's API takes it."""
    payment_body: dict[str, Any] = {
        "recipientId": row.recipient.bank_id,
        "amount": Decimal(row.amount),
        "paymentMethod": row.method,
        "idempotencyKey": str(row.bank_key),
    }
    if row.note:
        payment_body["note"] = row.note
    if row.category:
        payment_body["purpose"] = build_provider_purpose(row.category, row.additional_info)
    return payment_body


def _retry_delay(tries: int) -> timedelta:
    """Return the delay after a number of tries, and one more; nothing after none."""
    return RETRY_DELAYS[min(tries, len(RETRY_DELAYS) - 1)] if tries >= 0 else timedelta()


def enqueue_overdue_sends(now: datetime) -> None:
    """Plan work for payments that should have been sent and have no job."""
    late = Send.objects.filter(state="TAKEN", due_at__lt=now - OVERDUE).order_by("due_at")
    for number in late.values_list("pk", flat=True)[:SWEEP_BATCH_SIZE]:
        job_queue.enqueue_job(job=SEND_JOB, key=str(number), now=now)
