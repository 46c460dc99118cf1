"""Holds payments as they stand against the ledger of what happened to them.

Whoever can write the database can rewrite a payment's row, but not record that. Were such a row
carried on, the next event would bear it out: so it is neither moved, settled nor told.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from uuid import UUID

from apps.core.canonical import digest
from apps.core.lasting import differences, last_events, standing_fault
from apps.core.problems import Unavailable
from apps.payments.models import Payment, PaymentEvent

UNPROVED = "The payment is not as it was recorded: ask the operator."
logger = logging.getLogger(__name__)


class PaymentUnproved(Unavailable):
    """The payment is not as it was recorded: somebody altered it."""

    code, title = "payment_unproved", "The payment cannot be relied on"


def proved(payment: Payment) -> Payment:
    """Return a payment as it stands now, which is as its last event has it; one query.

    PaymentUnproved (503) where it is not.
    """
    event = _last([payment]).get(payment.pk)
    if why := _fault(payment.pk, event):
        logger.error("%s", why)
        raise PaymentUnproved(UNPROVED)
    assert event is not None  # else that is the fault
    return event.payment


def told(ids: Collection[UUID | str], *, owner: str) -> dict[UUID, Payment]:
    """Return those of an owner's payments that are as their last events have them; one query.

    By their ids. Whoever reads many of them tells nothing of the others, but that they are not as
    they were recorded.
    """
    events = PaymentEvent.objects.filter(payment__payment_id__in=ids, payment__owner=owner)
    found = {}
    for number, event in last_events(events, of="payment", whole=True).items():
        if why := _fault(number, event):
            logger.error("%s", why)
        else:
            found[event.payment.payment_id] = event.payment
    return found


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each payment that is not as its last event has it."""
    yield from differences(
        Payment.objects.all(), lambda piece: iter(faults(piece).values()), progress
    )


def faults(payments: Sequence[Payment]) -> dict[int, str]:
    """Return what differs between payments and their last events, by number; one query."""
    last = _last(payments)
    return {one.pk: why for one in payments if (why := _fault(one.pk, last.get(one.pk)))}


def _last(payments: Sequence[Payment]) -> dict[int, PaymentEvent]:
    """Return the last event of each payment, with its row as it stood in that very moment."""
    events = PaymentEvent.objects.filter(payment__in=[one.pk for one in payments])
    return last_events(events, of="payment", whole=True)


def _fault(number: int, event: PaymentEvent | None) -> str:
    if event is None:
        return f"payment {number} has no event of ours for its last step"
    payment = event.payment
    if (event.number, event.state) != (payment.steps, payment.state):
        return f"payment {payment.pk} went on: its last event is {event.pk}"
    if standing_fault(event, payment.stands):
        return f"payment {payment.pk} is not as event {event.pk} has it"
    if payment.instruction and _instructs(payment) != payment.fingerprint:
        return f"payment {payment.pk} has another instruction than was accepted"
    return ""


def _instructs(payment: Payment) -> str:
    """Return the fingerprint of the instruction that a row holds (instructions.py)."""
    kept = payment.instruction
    return digest({name: one for name, one in kept.items() if name != "source"})


def unproved(payments: Sequence[Payment]) -> list[int]:
    """Return the numbers of payments that are not as they were recorded."""
    return list(faults(payments))
