"""Accepts an instruction: a payment is made, or found where it was made before.

Whatever form instructions come in, they come through here: DESIGN.md section 4, Payment status.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.core import jobs
from apps.core.callers import Caller
from apps.core.prepared import insert_once
from apps.core.problems import Conflict, DomainError
from apps.payments import addresses
from apps.payments.instructions import Instruction, Party, first_moment
from apps.payments.models import Payment
from apps.payments.models.payments import LONGEST_KEY
from apps.payments.moving import ADVANCE, record
from apps.payments.projection import proved
from apps.payments.rules import lifecycle

UNIQUE = ("owner", "reference")
FIRST = lifecycle.turn("", "ACCEPTED")


class OwnWallet(DomainError):
    """The debtor's wallet is the creditor's: nothing would be paid."""

    code, title = "own_wallet", "The payment goes to the wallet that it comes from"


class ReferenceTaken(Conflict):
    """The institution has another payment under this reference: its instruction differs."""

    code, title = "reference_taken", "Another payment bears this reference"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A payment, and whether this instruction made it."""

    payment: Payment
    new: bool


def accept(
    *, instruction: Instruction, caller: Caller, now: datetime, called: str = ""
) -> Accepted:
    """Make the payment of an instruction, or find the one that it made before.

    Call it inside a transaction: the payment, its first event and the job that carries it on exist
    when that commits. Of many at once one makes it. `called` is called back where the instruction
    names no address; it is no part of what was instructed. Raises ReferenceTaken (409) for another
    instruction under the same reference, BadCallback (400) for an address that is not called, and
    OwnWallet (400) for a payment to the wallet that it comes from. PaymentUnproved (503) where the
    one that was made before was altered.
    """
    if instruction.creditor.wallet == instruction.debtor.wallet:
        said = "This is the debtor's wallet."
        raise OwnWallet(said, errors=[{"field": "creditor.walletAddress", "message": said}])
    addresses.insist_on(instruction.callback_url)
    payment = made(instruction, caller.ref, now, called)
    if not insert_once(payment, unique=UNIQUE):
        return Accepted(_before(instruction, caller.ref), new=False)
    record(payment, FIRST, now=now, facts=first_facts(payment))
    jobs.enqueue(job=ADVANCE, key=str(payment.pk), now=now, eta=payment.due_at)
    return Accepted(payment, new=True)


def _before(instruction: Instruction, owner: str) -> Payment:
    found = Payment.objects.get(owner=owner, reference=instruction.reference)
    if found.fingerprint != instruction.fingerprint:
        raise ReferenceTaken(
            f"You sent another instruction as {instruction.reference!r}: "
            "a payment that differs needs a reference of its own."
        )
    return proved(found)


def first_facts(payment: Payment) -> dict[str, Any]:
    """Return what the first event of a payment keeps besides: its instruction."""
    return {"instruction": payment.instruction}


def made(instruction: Instruction, owner: str, now: datetime, called: str = "") -> Payment:
    """Return the payment of an instruction, not yet stored."""
    creditor, debtor, source = instruction.creditor, instruction.debtor, instruction.source
    kept = instruction.recorded()
    return Payment(
        payment_id=uuid.uuid4(),
        owner=owner,
        reference=instruction.reference,
        fingerprint=instruction.fingerprint,
        instruction=kept,
        state="SUBMITTED",
        steps=1,
        amount=instruction.amount,
        currency=instruction.currency,
        asset=instruction.asset,
        creditor_key=key_of(creditor),
        debtor_key=key_of(debtor),
        creditor_lei=creditor.lei,
        debtor_lei=debtor.lei,
        creditor_wallet=creditor.wallet,
        debtor_wallet=debtor.wallet,
        message_id=source.message_id if source else "",
        callback_url=instruction.callback_url or called,
        submitted_at=now,
        due_at=max(now, first_moment(kept) or now),
    )


def key_of(party: Party) -> str:
    """Return a party's name as payments are found by it: small letters, single spaces."""
    return folded(party.name)


def folded(name: str) -> str:
    """Return a name in small letters with single spaces, as long as a column holds."""
    return " ".join(name.casefold().split())[:LONGEST_KEY]
