"""Verify payments against the ledger of their events."""

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.models.events import id_key, reference_key
from apps.platform.common.problems import Unavailable
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.db.compiled_queries import fetch_first
from apps.platform.ledger.verification.state_row_checks import StateRowCheck, load_last_events

INTEGRITY_FAILED = "Integrity check failed for this payment. Contact the operator."
logger = logging.getLogger(__name__)


class PaymentIntegrityError(Unavailable):
    """Integrity check failed for the payment: it was altered."""

    code, title = "payment_unproved", "Payment integrity check failed"


def load_verified_payment(*, owner: str, payment_id: UUID) -> Payment | None:
    """Return an owner's payment by its id, as recorded; None if the owner never sent it.

    Raises PaymentIntegrityError (503) if it is not as recorded, or its row is missing.
    """
    return _load_verified(
        {"owner": owner, "payment_id": payment_id}, {"id_key": id_key(owner, payment_id)}
    )


def load_payment_by_reference(*, owner: str, reference: str) -> Payment | None:
    """Return an owner's payment by its reference, as recorded; None for an unused reference.

    Raises PaymentIntegrityError (503) if it is not as recorded, or if no row has the used reference
    any more: it would be paid twice.
    """
    key = {"reference_key": reference_key(owner, reference)}
    return _load_verified({"owner": owner, "reference": reference}, key)


def _load_verified(where: Mapping[str, Any], key: Mapping[str, str]) -> Payment | None:
    payment: Payment | None = fetch_first(Payment, where=where)
    if payment is None:
        # the ledger knows each reference and id that was ever used, whatever became of the row
        if fetch_first(PaymentEvent, where=key) is None:
            return None
        # another call may have made it since
        payment = fetch_first(Payment, where=where)
    if payment is None:
        logger.error("a payment of %s was recorded, but its row is missing", where["owner"])
        raise PaymentIntegrityError(INTEGRITY_FAILED)
    return verify_payment(payment)


def load_verified_payments(ids: Collection[UUID | str], *, owner: str) -> dict[UUID, Payment]:
    """Return those of an owner's payments that match their last events, by ids; one query.

    A list shows nothing of the others except that their integrity check failed.
    """
    events = PaymentEvent.objects.filter(payment__payment_id__in=ids, payment__owner=owner)
    payments = {}
    for number, event in load_last_events(events, of="payment", whole=True).items():
        if why := CHECK.describe_fault(number, event):
            logger.error("%s", why)
        else:
            payments[event.payment.payment_id] = event.payment
    return payments


def _describe_altered_instruction(payment: Payment) -> str:
    # an instruction that retention blanked can no longer be compared
    if payment.instruction and _fingerprint_of_instruction(payment) != payment.fingerprint:
        return "has a different instruction from the accepted one"
    if payment.instruction and (column := _find_altered_column(payment)):
        return f"has a different {column} from its instruction"
    return ""


def _find_altered_column(payment: Payment) -> str:
    """Return the column that contradicts the instruction about the parties, if any.

    `debtor_wallet` identifies a transfer as that of the debtor, who was screened, and
    `sender_account` puts payments of one sender in order for the checks.
    """
    for side, name in (("debtor", "wallet"), ("debtor", "lei"), ("creditor", "lei")):
        column = f"{side}_{name}"
        if getattr(payment, column) != payment.instruction.get(side, {}).get(name, ""):
            return column
    sender_account = payment.instructed.sender_account(payment.owner)
    return "sender_account" if payment.sender_account != sender_account else ""


def _fingerprint_of_instruction(payment: Payment) -> str:
    """Return the fingerprint of the instruction that a row holds (instructions.py)."""
    instruction = payment.instruction
    return canonical_digest(
        {name: value for name, value in instruction.items() if name != "source"}
    )


CHECK = StateRowCheck(
    rows=Payment,
    events=PaymentEvent,
    of="payment",
    error=PaymentIntegrityError,
    detail=INTEGRITY_FAILED,
    further=_describe_altered_instruction,
)
verify_payment = CHECK.verify
find_payment_faults = CHECK.find_faults
verify_payments = CHECK.compare


def find_altered_payments(payments: Sequence[Payment]) -> list[int]:
    """Return the numbers of payments that are not as recorded."""
    return list(find_payment_faults(payments))
