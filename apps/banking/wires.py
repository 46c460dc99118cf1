"""International wires: proposed by one senior officer, approved by another, then sent once."""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.banking import sanctions
from apps.banking.models import Recipient, Send, Wire
from apps.banking.models.wires import STATED
from apps.banking.moving import begin
from apps.banking.projection import proved
from apps.banking.rules.numbers import EXPLAINED, WIRE
from apps.banking.sends import SEND, Asked, row_of
from apps.core import jobs
from apps.core.callers import Caller
from apps.core.problems import Conflict
from apps.desk.rules import LONGEST_REASON, text_fault

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LEAST = Decimal("0.01")
CENT = Decimal("0.01")


class WireConflict(Conflict):
    """The wire cannot be proposed or sent so."""

    code, title = "wire_conflict", "The wire cannot go so"


def faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for what may not be proposed so."""
    found, recipient, amount = [], stated["recipient"], stated["amount"]
    if recipient.kind != "WIRE" or recipient.state == "REFUSED":
        found.append(("recipient", "The recipient is none of international wires."))
    if amount < LEAST or amount != amount.quantize(CENT):
        found.append(("amount", "The amount is dollars and cents, 0.01 at least."))
    if stated["category"] in EXPLAINED and not stated["additional_info"].strip():
        found.append(("additional_info", f"{stated['category']} is explained."))
    return found


def draft(*, stated: dict[str, Any], reason: str) -> Wire:
    """Return a proposal that is not stored; WireConflict for what may not be."""
    for _, sentence in faults(stated):
        raise WireConflict(sentence)
    return Wire(
        recipient=stated["recipient"],
        reason=reason,
        **{name: stated[name] for name in STATED if name != "recipient_id"},
    )


@transaction.atomic
def propose(*, stated: dict[str, Any], reason: str, by: "User", now: datetime) -> Wire:
    """Propose a wire; WireConflict when that cannot be."""
    if fault := text_fault(reason, most=LONGEST_REASON):
        raise WireConflict(f"The reason: {fault}")
    wire = draft(stated=stated, reason=reason)
    wire.proposed_by, wire.proposed_at = by, now
    wire.save()
    wire.opened(by=by, now=now)
    return wire


@transaction.atomic
def approve(*, change: Wire, by: "User", now: datetime, note: str = "") -> Send:
    """Have a wire sent as another officer; WireConflict where a listed name stands against it."""
    change.settle(approved=True, by=by, note=note, now=now, refused=WireConflict)
    recipient: Recipient = proved([change.recipient])[0]
    looked = sanctions.look([recipient.name], now=now)
    if looked.listed:
        raise WireConflict("The recipient's name is on a sanctions list: it is not sent.")
    asked = Asked(
        account_id=change.account_id,
        recipient_id=recipient.recipient_id,
        amount=change.amount,
        method=WIRE,
        note=change.memo,
        key=f"wire:{change.pk}",
        category=change.category,
        additional_info=change.additional_info,
    )
    row = row_of(asked, recipient, Caller(recipient.owner, "DESK"), now)
    row.way = "wire"
    facts = {
        "sanctions": looked.recorded(),
        "proposedBy": change.proposed_by.get_username(),
        "approvedBy": by.get_username(),
    }
    begin(row, "TAKEN", now=now, facts=facts)
    jobs.enqueue(job=SEND, key=str(row.pk), now=now)
    return row


@transaction.atomic
def reject(*, change: Wire, by: "User", now: datetime, note: str) -> None:
    """Turn a wire down, with the reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=WireConflict)
