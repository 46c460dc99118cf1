"""Carries payments on: one job takes a payment as far as it goes, each turn committed by itself.

A run that is cut off between two turns, or within one, is taken up where it was: by the same job,
once its lease is over, or by the sweep. A step that could not be made is tried again after each of
RETRY_DELAYS; one that could not be checked then waits for an officer, and any other fails with the
reason.
"""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction

from apps.payments.payments import notifications, payment_checks
from apps.payments.payments.findings import findings_of_cases, sides_by_screen
from apps.payments.payments.instructions import earliest_execution_time
from apps.payments.payments.integrity import PaymentIntegrityError, verify_payment
from apps.payments.payments.models import Payment
from apps.payments.payments.rails import (
    Rail,
    RailOrder,
    RailPending,
    RailRefusal,
    RailSettlement,
    configured_rail,
    orders,
)
from apps.payments.payments.record_transition import ADVANCE, record_transition
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.transitions import MOVING, State, find_transition
from apps.payments.payments.services import (
    payment_case,
    pricing,
    rechecks,
    stability_gate,
    travel_rule_handovers,
)
from apps.payments.payments.services.sender_order import judge_earlier_payments
from apps.platform.common.clock import SKEW
from apps.platform.db.compiled_queries import fetch_first
from apps.platform.jobs import job_queue
from apps.platform.jobs.job_context import CURRENT_RUN
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

logger = logging.getLogger(__name__)
RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(minutes=30),
    timedelta(hours=2),
)
# past its due time a payment has no job any more: the sweep plans one
OVERDUE = timedelta(minutes=2)
# the longest interval after which a rail or the oracle is asked again
LONGEST_RECHECK_INTERVAL = timedelta(minutes=5)
OVERDUE_BATCH = 500
LONGEST_TROUBLE = 300
ALTERED_TROUBLE = "Its row does not match its record: it is not processed."
WORKER_DIED_TROUBLE = "The process that ran its checks ended before they finished."
# the outcome of a step that failed on every attempt
GIVEN_UP: Mapping[str, tuple[str, str]] = {
    "SUBMITTED": ("NOT_CHECKED", ""),
    "VERIFIED": ("NOT_PRICED", messages.NOT_PRICED),
    "AWAITING_SETTLEMENT": ("NOT_SETTLED", messages.NOT_SETTLED),
}


class RailNotConfigured(RuntimeError):
    """This installation names no rail any more."""


class WorkerDied(RuntimeError):
    """The process that worked on the payment died."""


def advance_payment(key: str, now: datetime) -> None:
    """Carry one payment on; its key is its number. Workers call it in turn (fair_queue.py).

    Raises RetryLater where it is to be gone on with later. Each turn is recorded as of the moment
    at which it began, which is `now` and as long as the run took until then.
    """
    started, begun = time.monotonic(), now
    payment = _load_moving_payment(int(key or 0))
    run = CURRENT_RUN.get()
    if payment is not None and payment.state == "SUBMITTED" and run and run.job.failures:
        # a check that takes its process down each time must not do so for ever
        _retry_or_give_up(payment.pk, WorkerDied(WORKER_DIED_TROUBLE), now)
        payment = _load_moving_payment(payment.pk)
    while payment is not None and payment.state in MOVING:
        now = begun + timedelta(seconds=time.monotonic() - started)
        if (due := _next_due_at(payment, now)) > now:
            raise job_queue.RetryLater(due)
        try:
            STEPS[payment.state](payment, now)
        # another run or an officer moved it: go on from where it is now
        except ConcurrentUpdate:
            payment = _load_moving_payment(payment.pk)
        except (job_queue.RetryLater, OperationalError, InterfaceError):
            # a database that fails is no failed check: the queue runs the job again
            raise
        except Exception as error:
            _retry_or_give_up(payment.pk, error, now)
            payment = _load_moving_payment(payment.pk)


def _next_due_at(payment: Payment, now: datetime) -> datetime:
    """Return when a payment goes on: now, where a clock that has been set back since chose when.

    Only what is to be executed on a later day waits longer than RETRY_DELAYS, or than a look at a
    rail or an oracle that is to be repeated.
    """
    if payment.state == "SUBMITTED" and not payment.tries:
        # accepted by a clock that was ahead: its day may have begun by that clock only
        ahead = payment.due_at == payment.submitted_at and payment.due_at > now + SKEW
        return (
            max(now, earliest_execution_time(payment.instruction) or now)
            if ahead
            else payment.due_at
        )
    longest = max(
        RETRY_DELAYS[payment.tries - 1] if payment.tries else SKEW, LONGEST_RECHECK_INTERVAL
    )
    return now if payment.due_at > now + longest + SKEW else payment.due_at


def _load_moving_payment(number: int) -> Payment | None:
    """Return a payment that is as it was recorded; None where there is none, or it was altered.

    An altered one stays where it is until its row is put right; health reports it as overdue.
    """
    payment = fetch_first(Payment, where={"pk": number})
    if payment is None or payment.state not in MOVING:
        return None
    try:
        return verify_payment(payment)
    except PaymentIntegrityError:
        # whatever is done with it would be recorded as ours: nothing is
        Payment.objects.filter(pk=number).update(trouble=ALTERED_TROUBLE)
        return None


def check_payment(payment: Payment, now: datetime) -> None:
    """Make the checks of a payment, and take the turn that they come to."""
    # outside the transaction: it may wait for upstreams
    check_inputs = payment_checks.gather_check_inputs(payment=payment, now=now)
    # before our own results are written: an earlier payment may change what they are
    judge_earlier_payments(payment, now=now)
    with transaction.atomic():
        check_results = payment_checks.record_check_results(
            payment=payment, looked=check_inputs, now=now
        )
        next_ = find_transition(payment.state, "CHECKED", check_results.checks)
        disclosed, error = dict(check_results.said), ""
        if next_.next == "BLOCKED":
            disclosed, error = (
                disclosed | {"compliance": dict(messages.BLOCKED_FLAGS)},
                messages.BLOCKED,
            )
        # until the payment ends, only the result of the payee check may be read
        flagged = findings_of_cases(check_results.cases, sides_by_screen(check_results.found))
        facts = {
            "found": dict(check_results.found),
            "findings": [finding.recorded() for finding in flagged],
            "turn": next_.code,
        }
        transition = record_transition(
            payment,
            "CHECKED",
            now=now,
            checks=check_results.checks,
            facts=facts,
            plans=False,
            found=dict(check_results.found),
            said=disclosed,
            error=error,
        )
        if transition.review:
            payment_case.open_hold_case(
                payment=payment, cases=check_results.cases, findings=flagged, now=now
            )


def price_payment(payment: Payment, now: datetime) -> None:
    """Lock the rate of a payment and quote its fee; not while settlement halts, nor unchecked."""
    # before the checks: a halted payment waits, and is checked again when it goes on
    oracle = stability_gate.require_stable_oracle(payment, now=now)
    if rechecks.is_recheck_due(payment, now=now):
        rechecks.recheck_payment(payment, now=now)
        return
    price = pricing.build_price(payment=payment, rail=_require_rail(), now=now)
    with transaction.atomic():
        price_record = pricing.store_quote(price=price, now=now) | {"oracle": oracle}
        record_transition(
            payment,
            "PRICED",
            now=now,
            facts={"price": price_record},
            plans=False,
            price=price_record,
        )


def settle_on_rail(payment: Payment, now: datetime) -> None:
    """Settle a payment; one whose quote lapsed is priced anew first."""
    chosen = _require_rail()
    order = orders.build_rail_order(payment)
    # an order that a rail holds keeps its price: the quote was taken with it
    is_binding = chosen.binds and chosen.holds(order.order_id)
    if not is_binding and pricing.is_quote_lapsed(payment, now=now):
        with transaction.atomic():
            record_transition(payment, "PRICE_LAPSED", now=now, plans=False, price={})
        return
    if chosen.binds:
        answer = _settle_on_binding_rail(payment, order, chosen, is_binding, now)
        if isinstance(answer, RailSettlement):
            return
    else:
        answer = chosen.settle(order=order, now=now)
    if isinstance(answer, RailPending):
        # no transition: asking again is no step of the payment
        Payment.objects.filter(pk=payment.pk, steps=payment.steps).update(due_at=answer.again)
        raise job_queue.RetryLater(answer.again)
    if isinstance(answer, RailRefusal):
        with transaction.atomic():
            reason = messages.REFUSED.format(why=answer.why)[:300]
            record_transition(payment, "REFUSED", now=now, error=reason)
        return
    with transaction.atomic():
        _record_settlement(payment, answer, chosen, now)


@transaction.atomic
def _settle_on_binding_rail(
    payment: Payment, order: RailOrder, chosen: Rail, held: bool, now: datetime
) -> RailSettlement | RailRefusal | RailPending:
    """Call a binding rail and apply its answer, which holds while it is written.

    A new order consumes the quote and notifies the institution.
    """
    answer = chosen.settle(order=order, now=now)
    if not held and isinstance(answer, RailPending):
        pricing.consume_quote(payment, now=now)
        notifications.publish_payment_status(payment, now=now)
    if isinstance(answer, RailSettlement):
        _record_settlement(payment, answer, chosen, now)
    return answer


def _record_settlement(
    payment: Payment, answer: RailSettlement, chosen: Rail, now: datetime
) -> None:
    # a rail that binds took the quote with its order
    if not chosen.binds:
        pricing.consume_quote(payment, now=now)
    network = answer.network or chosen.network
    settlement_details = travel_rule_handovers.serialize_settlement_details(
        payment, tx_hash=answer.tx_hash, network=network
    )
    record_transition(
        payment,
        "SETTLED",
        now=now,
        facts={"settlement": settlement_details},
        price=payment.price | {"settlement": settlement_details},
        tx_hash=answer.tx_hash,
        tx_place=answer.place,
        settled_at=now,
    )
    travel_rule_handovers.hand_over_to_travel_rule(payment, now=now)
    # the last write: banking/volume_integrity.py relies on it
    pricing.add_month_volume(payment, now=now)
    job_queue.record_run_done()


STEPS: Mapping[State, Callable[[Payment, datetime], None]] = {
    "SUBMITTED": check_payment,
    "VERIFIED": price_payment,
    "AWAITING_SETTLEMENT": settle_on_rail,
}


def _require_rail() -> Rail:
    rail = configured_rail()
    if rail is None:
        raise RailNotConfigured("No settlement rail is configured here.")
    return rail


def _retry_or_give_up(number: int, error: Exception, now: datetime) -> None:
    """Plan another try of a step that could not be made, or give it up; raises RetryLater."""
    payment = _load_moving_payment(number)
    if payment is None or payment.state not in MOVING:
        return
    why = f"{type(error).__name__}: {error}"[:LONGEST_TROUBLE]
    logger.warning("payment %s waits in %s: %s", number, payment.state, type(error).__name__)
    if payment.tries >= len(RETRY_DELAYS):
        _give_up_step(payment, why, now)
        return
    again = now + RETRY_DELAYS[payment.tries]
    # compare-and-set: two runs that fail at once count as one try
    same = Payment.objects.filter(pk=number, steps=payment.steps, tries=payment.tries)
    same.update(tries=payment.tries + 1, trouble=why, due_at=again)
    raise job_queue.RetryLater(again)


@transaction.atomic
def _give_up_step(payment: Payment, why: str, now: datetime) -> None:
    # what failed in VERIFIED: a due recheck, or else pricing
    again = payment.state == "VERIFIED" and rechecks.is_recheck_due(payment, now=now)
    event, message = ("NOT_CHECKED", messages.NOT_CHECKED) if again else GIVEN_UP[payment.state]
    transition = record_transition(payment, event, now=now, facts={"why": why}, error=message)
    if transition.review:
        payment_case.open_unchecked_case(payment=payment, why=why, now=now)
    Payment.objects.filter(pk=payment.pk).update(trouble=why)


def enqueue_overdue_payments(key: str, now: datetime) -> None:
    """Plan work for payments that should have gone on and that nothing carries."""
    late = Payment.objects.filter(state__in=MOVING, due_at__lt=now - OVERDUE).order_by("due_at")
    for number in late.values_list("pk", flat=True)[:OVERDUE_BATCH]:
        job_queue.enqueue_job(job=ADVANCE, key=str(number), now=now)
