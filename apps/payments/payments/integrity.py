"""Holds payments as they stand against the ledger of what happened to them.

Whoever can write the database can rewrite a payment's row, but not record that. Were such a row
carried on, the next event would bear it out: so it is neither moved, settled nor told.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.models.events import id_key, reference_key
from apps.platform.core.crypto.canonical import canonical_digest
from apps.platform.core.db.fast_queries import fetch_first
from apps.platform.core.problems import Unavailable
from apps.platform.core.verification.state_row_checks import (
    AT_ONCE,
    find_row_faults,
    is_changed_since,
    load_last_events,
)

INTEGRITY_FAILED = "The payment is not as it was recorded: ask the operator."
logger = logging.getLogger(__name__)


class PaymentIntegrityError(Unavailable):
    """The payment is not as it was recorded: somebody altered it."""

    code, title = "payment_unproved", "The payment cannot be relied on"


def load_verified_payment(*, owner: str, payment_id: UUID) -> Payment | None:
    """Return an owner's payment by its id, as recorded; None where the owner never sent it.

    PaymentIntegrityError (503) where it is not as it was recorded, or was and has no row.
    """
    return _load_verified(
        {"owner": owner, "payment_id": payment_id}, {"id_key": id_key(owner, payment_id)}
    )


def load_payment_by_reference(*, owner: str, reference: str) -> Payment | None:
    """Return an owner's payment by its reference, as recorded; None where that was never used.

    PaymentIntegrityError (503) where it is not as it was recorded, or no row bears the reference
    any more: it would pay twice.
    """
    key = {"reference_key": reference_key(owner, reference)}
    return _load_verified({"owner": owner, "reference": reference}, key)


def _load_verified(where: Mapping[str, Any], key: Mapping[str, str]) -> Payment | None:
    payment: Payment | None = fetch_first(Payment, where=where)
    if payment is None:
        if fetch_first(PaymentEvent, where=key) is None:
            return None
        payment = fetch_first(Payment, where=where)  # another call may have made it since
    if payment is None:
        logger.error("a payment of %s was recorded, and its row is gone", where["owner"])
        raise PaymentIntegrityError(INTEGRITY_FAILED)
    return verify_payment(payment)


def verify_payment(payment: Payment) -> Payment:
    """Return a payment as it stands now, which is as its last event has it; one query.

    PaymentIntegrityError (503) where it is not.
    """
    event = _load_last_events([payment]).get(payment.pk)
    if why := _describe_fault(payment.pk, event):
        logger.error("%s", why)
        raise PaymentIntegrityError(INTEGRITY_FAILED)
    assert event is not None  # else that is the fault
    return event.payment


def load_verified_payments(ids: Collection[UUID | str], *, owner: str) -> dict[UUID, Payment]:
    """Return those of an owner's payments that are as their last events have them; one query.

    By their ids. Whoever reads many of them tells nothing of the others, but that they are not as
    they were recorded.
    """
    events = PaymentEvent.objects.filter(payment__payment_id__in=ids, payment__owner=owner)
    found = {}
    for number, event in load_last_events(events, of="payment", whole=True).items():
        if why := _describe_fault(number, event):
            logger.error("%s", why)
        else:
            found[event.payment.payment_id] = event.payment
    return found


def verify_payments(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each payment that is not as its last event has it."""
    yield from find_row_faults(
        Payment.objects.all(), lambda piece: iter(find_payment_faults(piece).values()), progress
    )
    there = Payment.objects.filter(pk=OuterRef("payment_id"))
    gone = PaymentEvent.objects.filter(~Exists(there)).order_by("payment_id")
    for number in gone.values_list("payment_id", flat=True).distinct().iterator(AT_ONCE):
        yield f"payment {number} is recorded, and is gone"


def find_payment_faults(payments: Sequence[Payment]) -> dict[int, str]:
    """Return what differs between payments and their last events, by number; one query."""
    last = _load_last_events(payments)
    return {one.pk: why for one in payments if (why := _describe_fault(one.pk, last.get(one.pk)))}


def _load_last_events(payments: Sequence[Payment]) -> dict[int, PaymentEvent]:
    """Return the last event of each payment, with its row as it stood in that very moment."""
    events = PaymentEvent.objects.filter(payment__in=[one.pk for one in payments])
    return load_last_events(events, of="payment", whole=True)


def _describe_fault(number: int, event: PaymentEvent | None) -> str:
    if event is None:
        return f"payment {number} has no event of ours for its last step"
    payment = event.payment
    if (event.number, event.state) != (payment.steps, payment.state):
        return f"payment {payment.pk} went on: its last event is {event.pk}"
    if is_changed_since(event, payment.stands):
        return f"payment {payment.pk} is not as event {event.pk} has it"
    if payment.instruction and _fingerprint_of_instruction(payment) != payment.fingerprint:
        return f"payment {payment.pk} has another instruction than was accepted"
    if payment.instruction and (column := _find_altered_column(payment)):
        return f"payment {payment.pk} has another {column} than its instruction"
    return ""


def _find_altered_column(payment: Payment) -> str:
    """Return the column that is no more what the instruction says of the parties, if any.

    By `debtor_wallet` a transfer is known to be the debtor's, who was screened.
    """
    for side, name in (("debtor", "wallet"), ("debtor", "lei"), ("creditor", "lei")):
        column = f"{side}_{name}"
        if getattr(payment, column) != payment.instruction.get(side, {}).get(name, ""):
            return column
    return ""


def _fingerprint_of_instruction(payment: Payment) -> str:
    """Return the fingerprint of the instruction that a row holds (instructions.py)."""
    kept = payment.instruction
    return canonical_digest({name: one for name, one in kept.items() if name != "source"})


def find_altered_payments(payments: Sequence[Payment]) -> list[int]:
    """Return the numbers of payments that are not as they were recorded."""
    return list(find_payment_faults(payments))
