"""International wires: proposed by one senior officer, approved by another, then sent once.

Recipient and bank are screened as it is proposed and as it is approved. What the screen blocks is
recorded as a payment that was stopped, with its entry in the SAR log: such a wire can only be
rejected. What it flags waits at the desk, as any payment does.
"""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.banking import screens
from apps.banking.cases import log_blocked, send_held, stopped_by
from apps.banking.judging import SEND
from apps.banking.models import Recipient, Send, Wire
from apps.banking.models.wires import STATED, WIRE_KEY
from apps.banking.moving import begin
from apps.banking.projection import proved
from apps.banking.rules.numbers import EXPLAINED, WIRE
from apps.banking.screens import Looked
from apps.banking.sends import AccountNotYours, Asked, insist_on_account, row_of
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
    if not _may_pay_from(stated["account_id"], recipient):
        found.append(("account_id", "The recipient's institution does not pay from this account."))
    if amount < LEAST or amount != amount.quantize(CENT):
        found.append(("amount", "The amount is dollars and cents, 0.01 at least."))
    if stated["category"] in EXPLAINED and not stated["additional_info"].strip():
        found.append(("additional_info", f"{stated['category']} is explained."))
    return found


def _may_pay_from(account_id: Any, recipient: Recipient) -> bool:
    try:
        insist_on_account(account_id, _desk(recipient))
    except AccountNotYours:
        return False
    return True


def _desk(recipient: Recipient) -> Caller:
    return Caller(recipient.owner, "DESK")


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
    """Propose a wire; WireConflict when that cannot be.

    One that the screen blocks stands, stopped: another officer can only reject it.
    """
    if fault := text_fault(reason, most=LONGEST_REASON):
        raise WireConflict(f"The reason: {fault}")
    wire = draft(stated=stated, reason=reason)
    wire.proposed_by, wire.proposed_at = by, now
    wire.save()
    wire.opened(by=by, now=now)
    looked = screened(wire.recipient, now=now)
    if looked.blocked:
        _begin(wire, looked, {"proposedBy": by.get_username()}, now)
    return wire


@transaction.atomic
def approve(*, change: Wire, by: "User", now: datetime, note: str = "") -> Send:
    """Have a wire sent as another officer, as the screen has it then; return its payment.

    The payment is TAKEN, HELD for the desk, or STOPPED. WireConflict where that cannot be.
    """
    if payment_of(change) is not None:
        raise WireConflict("The screen has stopped it: it can only be rejected.")
    change.settle(approved=True, by=by, note=note, now=now, refused=WireConflict)
    if not _may_pay_from(change.account_id, change.recipient):
        raise WireConflict("The recipient's institution does not pay from this account.")
    facts = {
        "proposedBy": change.proposed_by.get_username(),
        "approvedBy": by.get_username(),
    }
    return _begin(change, screened(change.recipient, now=now), facts, now)


def screened(recipient: Recipient, *, now: datetime) -> Looked:
    """Screen a recipient and its bank as they stand; ListsUnavailable, ListsStale (503)."""
    return screens.look(screens.of_recipient(proved([recipient])[0]), now=now)


def payment_of(wire: Wire) -> Send | None:
    """Return the payment of a wire, None where none was begun."""
    return Send.objects.filter(way="wire", key=_key(wire)).first()


def _key(wire: Wire) -> str:
    return f"{WIRE_KEY}{wire.pk}"


def _begin(wire: Wire, looked: Looked, facts: dict[str, Any], now: datetime) -> Send:
    """Begin the payment of a wire as the screen has it: to be sent, held, or stopped."""
    row = _row(wire, now)
    event = "STOPPED" if looked.blocked else "HELD" if looked.flagged else "TAKEN"
    known = facts | {"sanctions": looked.recorded()}
    begin(row, event, now=now, facts=known)
    if event == "STOPPED":
        log_blocked(row, stopped_by(looked), looked=looked, now=now)
    elif event == "HELD":
        rule = "ACH-3" if looked.near else "ACH-10"
        send_held(row, rule, now=now, facts=known | {"sanctions": looked.shown()})
    else:
        jobs.enqueue(job=SEND, key=str(row.pk), now=now)
    return row


def _row(wire: Wire, now: datetime) -> Send:
    recipient = wire.recipient
    asked = Asked(
        account_id=wire.account_id,
        recipient_id=recipient.recipient_id,
        amount=wire.amount,
        method=WIRE,
        note=wire.memo,
        key=_key(wire),
        category=wire.category,
        additional_info=wire.additional_info,
    )
    row = row_of(asked, recipient, _desk(recipient), now)
    row.way = "wire"
    return row


@transaction.atomic
def reject(*, change: Wire, by: "User", now: datetime, note: str) -> None:
    """Turn a wire down, with the reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=WireConflict)
