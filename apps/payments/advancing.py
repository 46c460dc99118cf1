"""Carries payments on: one job takes a payment as far as it goes, each turn committed by itself.

A run that is cut off between two turns, or within one, is taken up where it was: by the same job,
once its lease is over, or by the sweep. A step that could not be made is tried again after each of
WAITS, and the payment then fails with the reason: it never passes.
"""

import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction

from apps.core import jobs
from apps.core.clock import SKEW
from apps.core.keyed import first
from apps.payments import checking, halting, pricing, rechecking, reviewing, settling, telling
from apps.payments.instructions import first_moment
from apps.payments.models import Payment
from apps.payments.moving import ADVANCE, Moved, move
from apps.payments.projection import PaymentUnproved, proved
from apps.payments.rails import Order, Rail, Refused, Settled, Waits, rail
from apps.payments.rules import words
from apps.payments.rules.lifecycle import MOVING, State, turn

logger = logging.getLogger(__name__)
WAITS = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(minutes=30),
    timedelta(hours=2),
)
OVERDUE = timedelta(minutes=2)
LOOKS = timedelta(minutes=5)  # nothing is looked at less often
SWEPT_AT_ONCE = 500
LONGEST_TROUBLE = 300
ALTERED = "Its row is not as it was recorded: nothing is done with it."
# what a step that could not be made, however often it was tried, comes to
GIVEN_UP: Mapping[str, tuple[str, str]] = {
    "SUBMITTED": ("NOT_CHECKED", words.NOT_CHECKED),
    "VERIFIED": ("NOT_PRICED", words.NOT_PRICED),
    "AWAITING_SETTLEMENT": ("NOT_SETTLED", words.NOT_SETTLED),
}


class NoRail(RuntimeError):
    """This installation names no rail any more."""


def advance(key: str, now: datetime) -> None:
    """Carry one payment on; the handler of `payments.advance`, whose key is its number.

    Raises jobs.Again where it is to be gone on with later. Each turn is recorded as of the moment
    at which it began, which is `now` and as long as the run took until then.
    """
    started, begun = time.monotonic(), now
    payment = _read(int(key or 0))
    while payment is not None and payment.state in MOVING:
        now = begun + timedelta(seconds=time.monotonic() - started)
        if (due := _due(payment, now)) > now:
            raise jobs.Again(due)
        try:
            STEPS[payment.state](payment, now)
        except Moved:
            payment = _read(payment.pk)
        except (jobs.Again, OperationalError, InterfaceError):
            raise
        except Exception as error:
            _troubled(payment.pk, error, now)
            payment = _read(payment.pk)


def _due(payment: Payment, now: datetime) -> datetime:
    """Return when a payment goes on: now, where a clock that has been set back since chose when.

    Only what is to be executed on a later day waits longer than WAITS has it, or than a look at a
    rail or an oracle that is to be repeated. It waits for its day even where that had begun by the
    clock that was ahead.
    """
    if payment.state == "SUBMITTED" and not payment.tries:
        ahead = payment.due_at == payment.submitted_at and payment.due_at > now + SKEW
        return max(now, first_moment(payment.instruction) or now) if ahead else payment.due_at
    longest = max(WAITS[payment.tries - 1] if payment.tries else SKEW, LOOKS)
    return now if payment.due_at > now + longest + SKEW else payment.due_at


def _read(number: int) -> Payment | None:
    """Return a payment that is as it was recorded; None where there is none, or it was altered.

    An altered one stays where it is, overdue, which health tells: whatever were done with it would
    be recorded as ours. It is gone on with once its row is put right.
    """
    payment = first(Payment, where={"pk": number})
    if payment is None or payment.state not in MOVING:
        return None
    try:
        return proved(payment)
    except PaymentUnproved:
        Payment.objects.filter(pk=number).update(trouble=ALTERED)
        return None


def check(payment: Payment, now: datetime) -> None:
    """Make the checks of a payment, and take the turn that they come to."""
    looked = checking.gather(payment=payment, now=now)
    with transaction.atomic():
        found = checking.conclude(payment=payment, looked=looked, now=now)
        next_ = turn(payment.state, "CHECKED", found.checks)
        said, error = dict(found.said), ""
        if next_.next == "BLOCKED":
            said, error = said | {"compliance": dict(words.BLOCKED_FLAGS)}, words.BLOCKED
        # until it ends, what the checks came to is nobody's to read but the payee check
        facts = {"found": dict(found.found), "turn": next_.code}
        taken = move(
            payment,
            "CHECKED",
            now=now,
            checks=found.checks,
            facts=facts,
            plans=False,
            found=dict(found.found),
            said=said,
            error=error,
        )
        if taken.review:
            reviewing.hold(payment=payment, cases=found.cases, now=now)


def price(payment: Payment, now: datetime) -> None:
    """Lock the rate of a payment and quote its fee; not while settlement halts, nor unchecked."""
    oracle = halting.oracle(payment, now=now)
    if rechecking.due(payment, now=now):
        rechecking.again(payment, now=now)
        return
    found = pricing.gather(payment=payment, rail=_rail(), now=now)
    with transaction.atomic():
        kept = pricing.conclude(price=found, now=now) | {"oracle": oracle}
        move(payment, "PRICED", now=now, facts={"price": kept}, plans=False, price=kept)


def settle(payment: Payment, now: datetime) -> None:
    """Settle a payment; one whose quote lapsed is priced anew first."""
    chosen = _rail()
    order = settling.order_of(payment)
    held = chosen.binds and chosen.holds(order.order_id)
    if not held and pricing.lapsed(payment, now=now):
        with transaction.atomic():
            move(payment, "PRICE_LAPSED", now=now, plans=False, price={})
        return
    if chosen.binds:
        answer = _bound(payment, order, chosen, held, now)
        if isinstance(answer, Settled):
            return
    else:
        answer = chosen.settle(order=order, now=now)
    if isinstance(answer, Waits):
        Payment.objects.filter(pk=payment.pk, steps=payment.steps).update(due_at=answer.again)
        raise jobs.Again(answer.again)
    if isinstance(answer, Refused):
        with transaction.atomic():
            told = words.REFUSED.format(why=answer.why)[:300]
            move(payment, "REFUSED", now=now, error=told)
        return
    with transaction.atomic():
        _settled(payment, answer, chosen, now)


@transaction.atomic
def _bound(
    payment: Payment, order: Order, chosen: Rail, held: bool, now: datetime
) -> Settled | Refused | Waits:
    """Ask a rail that binds, and settle by its answer; what it says holds while that is written.

    With a new order the quote is taken and its institution told.
    """
    answer = chosen.settle(order=order, now=now)
    if not held and isinstance(answer, Waits):
        pricing.consume(payment, now=now)
        telling.tell(payment, now=now)
    if isinstance(answer, Settled):
        _settled(payment, answer, chosen, now)
    return answer


def _settled(payment: Payment, answer: Settled, chosen: Rail, now: datetime) -> None:
    if not chosen.binds:
        pricing.consume(payment, now=now)
    network = answer.network or chosen.network
    said = settling.settlement(payment, tx_hash=answer.tx_hash, network=network)
    move(
        payment,
        "SETTLED",
        now=now,
        facts={"settlement": said},
        price=payment.price | {"settlement": said},
        tx_hash=answer.tx_hash,
        tx_place=answer.place,
        settled_at=now,
    )
    settling.hand_over(payment, network=network, now=now)
    pricing.count(payment, now=now)
    jobs.ends()


STEPS: Mapping[State, Callable[[Payment, datetime], None]] = {
    "SUBMITTED": check,
    "VERIFIED": price,
    "AWAITING_SETTLEMENT": settle,
}


def _rail() -> Rail:
    found = rail()
    if found is None:
        raise NoRail("This installation names no settlement rail.")
    return found


def _troubled(number: int, error: Exception, now: datetime) -> None:
    """Plan another try of a step that could not be made, or give it up; raises jobs.Again."""
    payment = _read(number)
    if payment is None or payment.state not in MOVING:
        return
    why = f"{type(error).__name__}: {error}"[:LONGEST_TROUBLE]
    logger.warning("payment %s waits in %s: %s", number, payment.state, type(error).__name__)
    if payment.tries >= len(WAITS):
        _give_up(payment, why, now)
        return
    again = now + WAITS[payment.tries]
    same = Payment.objects.filter(pk=number, steps=payment.steps, tries=payment.tries)
    same.update(tries=payment.tries + 1, trouble=why, due_at=again)
    raise jobs.Again(again)


@transaction.atomic
def _give_up(payment: Payment, why: str, now: datetime) -> None:
    again = payment.state == "VERIFIED" and rechecking.due(payment, now=now)
    event, told = GIVEN_UP["SUBMITTED" if again else payment.state]
    move(payment, event, now=now, facts={"why": why}, error=told)
    Payment.objects.filter(pk=payment.pk).update(trouble=why)


def sweep(key: str, now: datetime) -> None:
    """Plan work for payments that should have gone on and that nothing carries."""
    late = Payment.objects.filter(state__in=MOVING, due_at__lt=now - OVERDUE).order_by("due_at")
    for number in late.values_list("pk", flat=True)[:SWEPT_AT_ONCE]:
        jobs.enqueue(job=ADVANCE, key=str(number), now=now)
