"""Accepts an instruction: a payment is made, or found where it was made before.

Whatever form instructions come in, they come through here: DESIGN.md section 4, Payment status.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.payments.payments import callback_urls
from apps.payments.payments.instructions import Instruction, Party, earliest_execution_time
from apps.payments.payments.integrity import load_payment_by_reference
from apps.payments.payments.models import Payment
from apps.payments.payments.models.payments import LONGEST_KEY
from apps.payments.payments.record_transition import ADVANCE, write_transition_event
from apps.payments.payments.rules import transitions
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict, DomainError
from apps.platform.db.compiled_statements import insert_if_absent
from apps.platform.jobs import job_queue

PAYMENT_KEY = ("owner", "reference")
FIRST_TRANSITION = transitions.find_transition("", "ACCEPTED")


class OwnWallet(DomainError):
    """Debtor and creditor have the same wallet: nothing would be paid."""

    code, title = "own_wallet", "The payment goes to the wallet that it comes from"


class ReferenceTaken(Conflict):
    """The institution has another payment under this reference, with a different instruction."""

    code, title = "reference_taken", "Reference already used for another payment"


@dataclass(frozen=True, slots=True)
class AcceptedPayment:
    """A payment, and whether this instruction made it."""

    payment: Payment
    new: bool


def accept_payment(
    *, instruction: Instruction, caller: Caller, now: datetime, called: str = ""
) -> AcceptedPayment:
    """Make the payment of an instruction, or find the one that it made before.

    Call it inside a transaction: the payment, its first event and the job that carries it on exist
    when that commits. Of many at once one makes it. `called` is called back where the instruction
    names no address; it is no part of what was instructed. Raises ReferenceTaken (409) for another
    instruction under the same reference, CallbackUrlRefused (400) for an address that is not
    called, and OwnWallet (400) for a payment to the wallet that it comes from.
    PaymentIntegrityError (503) where the one that was made before was altered or removed: it would
    pay twice.
    """
    # canonical forms, so equal text is the same wallet; a creditor always has one
    if instruction.creditor.wallet == instruction.debtor.wallet:
        message = "This is the debtor's wallet."
        raise OwnWallet(message, errors=[{"field": "creditor.walletAddress", "message": message}])
    callback_urls.require_callable_url(instruction.callback_url)
    # first: most repeats are found here, without a failed insert
    if (before := _load_earlier_payment(instruction, caller.ref)) is not None:
        return AcceptedPayment(before, new=False)
    payment = build_payment(instruction, caller.ref, now, called)
    if not insert_if_absent(payment, unique=PAYMENT_KEY):
        before = _load_earlier_payment(instruction, caller.ref)
        # it was just sent concurrently, and the insert waited for that
        assert before is not None
        return AcceptedPayment(before, new=False)
    write_transition_event(payment, FIRST_TRANSITION, now=now, facts=first_event_facts(payment))
    job_queue.enqueue_job(job=ADVANCE, key=str(payment.pk), now=now, eta=payment.due_at)
    return AcceptedPayment(payment, new=True)


def _load_earlier_payment(instruction: Instruction, owner: str) -> Payment | None:
    """Return the payment that an instruction made before; None where its reference is new."""
    payment = load_payment_by_reference(owner=owner, reference=instruction.reference)
    if payment is not None and payment.fingerprint != instruction.fingerprint:
        raise ReferenceTaken(
            f"You already sent a different instruction as {instruction.reference!r}: a different "
            "payment needs its own reference."
        )
    return payment


def first_event_facts(payment: Payment) -> dict[str, Any]:
    """Return the facts of a payment's first event: its instruction."""
    return {"instruction": payment.instruction}


def build_payment(instruction: Instruction, owner: str, now: datetime, called: str = "") -> Payment:
    """Return the payment of an instruction, not yet stored."""
    creditor, debtor, source = instruction.creditor, instruction.debtor, instruction.source
    record = instruction.recorded()
    return Payment(
        payment_id=uuid.uuid4(),
        owner=owner,
        reference=instruction.reference,
        fingerprint=instruction.fingerprint,
        instruction=record,
        state="SUBMITTED",
        steps=1,
        amount=instruction.amount,
        currency=instruction.currency,
        asset=instruction.asset,
        creditor_key=party_search_key(creditor),
        debtor_key=party_search_key(debtor),
        creditor_lei=creditor.lei,
        debtor_lei=debtor.lei,
        creditor_wallet=creditor.wallet,
        debtor_wallet=debtor.wallet,
        sender_account=instruction.sender_account(owner),
        message_id=source.message_id if source else "",
        callback_url=instruction.callback_url or called,
        submitted_at=now,
        # an execution date in the future: the first check runs on that day, with the lists of that
        # day
        due_at=max(now, earliest_execution_time(record) or now),
    )


def party_search_key(party: Party) -> str:
    """Return a party's name as payments are found by it: small letters, single spaces."""
    return fold_name(party.name)


def fold_name(name: str) -> str:
    """Return a name in small letters with single spaces, as long as a column holds."""
    return " ".join(name.casefold().split())[:LONGEST_KEY]
