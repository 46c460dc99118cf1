"""International wires: proposed by one senior officer, approved by another, then sent once.

Recipient and bank are screened at the proposal and at the approval, then also the names in its note
and explanation. A wire that the screen blocks is recorded as a stopped payment, with its entry in
the SAR log: it can only be rejected. A flagged one waits at the desk, like any payment.
"""

from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.payments.banking.account_access import AccountNotYours, check_account_access
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import Recipient, Send, Wire
from apps.payments.banking.models.wires import PROPOSED_FIELDS, WIRE_KEY_PREFIX
from apps.payments.banking.record_transition import record_new_row
from apps.payments.banking.rules.account_numbers import WIRE
from apps.payments.banking.rules.send_fields import EXPLAINED_CATEGORIES
from apps.payments.banking.screening import recipients
from apps.payments.banking.screening.memo import find_listed_names, payment_memo_of
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.screening.send_findings import NOTED, build_send_findings
from apps.payments.banking.services.create_send import SendRequest, build_send
from apps.payments.banking.services.judge_send import SEND_JOB
from apps.payments.banking.services.log_blocked_send import log_blocked_send
from apps.payments.banking.services.send_cases import open_send_case, stopping_rule_of
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_text_fault
from apps.platform.jobs import job_queue
from apps.reference.watchlists import engine

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MIN_AMOUNT = Decimal("0.01")
CENT = Decimal("0.01")


class WireConflict(Conflict):
    """The wire cannot be proposed or sent so."""

    code, title = "wire_conflict", "The wire cannot be sent as entered"


def find_wire_faults(stated: dict[str, Any]) -> list[tuple[str, str]]:
    """Return field and sentence for each fault of a proposal."""
    wire_faults, recipient, amount = [], stated["recipient"], stated["amount"]
    if recipient.kind != "WIRE" or recipient.state == "REFUSED":
        wire_faults.append(("recipient", "The recipient does not take international wires."))
    if not _can_pay_from(stated["account_id"], recipient):
        wire_faults.append(
            ("account_id", "The recipient's institution does not pay from this account.")
        )
    if amount < MIN_AMOUNT or amount != amount.quantize(CENT):
        wire_faults.append(("amount", "The amount must be in dollars and cents, at least 0.01."))
    if stated["category"] in EXPLAINED_CATEGORIES and not stated["additional_info"].strip():
        wire_faults.append(("additional_info", f"{stated['category']} is explained."))
    return wire_faults


def _can_pay_from(account_id: Any, recipient: Recipient) -> bool:
    try:
        check_account_access(account_id, _desk_caller(recipient))
    except AccountNotYours:
        return False
    return True


def _desk_caller(recipient: Recipient) -> Caller:
    return Caller(recipient.owner, "DESK")


def draft_wire(*, stated: dict[str, Any], reason: str) -> Wire:
    """Return an unsaved proposal; WireConflict for one that may not be made."""
    # the form has shown them all: the first is enough here
    for _, sentence in find_wire_faults(stated):
        raise WireConflict(sentence)
    return Wire(
        recipient=stated["recipient"],
        reason=reason,
        **{name: stated[name] for name in PROPOSED_FIELDS if name != "recipient_id"},
    )


@transaction.atomic
def propose_wire(*, stated: dict[str, Any], reason: str, by: "User", now: datetime) -> Wire:
    """Propose a wire; WireConflict if that is not possible.

    A wire that the screen blocks is kept, stopped: another officer can only reject it.
    """
    if fault := find_text_fault(reason, most=LONGEST_REASON):
        raise WireConflict(f"The reason: {fault}")
    wire = draft_wire(stated=stated, reason=reason)
    wire.propose(by=by, now=now)
    wire_recipient = screen_wire_recipient(wire.recipient, now=now)
    if wire_recipient.blocked:
        # recorded as a stopped payment, so that the SAR log has it although nobody approves
        _begin_wire_payment(wire, wire_recipient, {"proposedBy": by.get_username()}, now)
    return wire


@transaction.atomic
def approve_wire(*, change: Wire, by: "User", now: datetime, note: str = "") -> Send:
    """Approve a wire as another officer, with a new screen; return its payment.

    The payment is TAKEN, HELD for the desk, or STOPPED. WireConflict if that is not possible.
    """
    if find_wire_payment(change) is not None:
        raise WireConflict("The screen has stopped it: it can only be rejected.")
    # raises unless another officer approves and it is still open
    change.settle(approved=True, by=by, note=note, now=now, refused=WireConflict)
    # again: BANK_ACCOUNTS may have changed since the proposal
    if not _can_pay_from(change.account_id, change.recipient):
        raise WireConflict("The recipient's institution does not pay from this account.")
    facts = {
        "proposedBy": change.proposed_by.get_username(),
        "approvedBy": by.get_username(),
    }
    return _begin_wire_payment(change, screen_wire_recipient(change.recipient, now=now), facts, now)


def screen_wire_recipient(recipient: Recipient, *, now: datetime) -> ScreeningOutcome:
    """Screen a recipient and its bank as they are now; ListsUnavailable, ListsStale (503)."""
    recipient_requests = recipients.build_recipient_requests(verify_rows([recipient])[0])
    return recipients.screen_parties(recipient_requests, owner=recipient.owner, now=now)


def find_wire_payment(wire: Wire) -> Send | None:
    """Return the payment of a wire, None where none was begun."""
    return Send.objects.filter(way="wire", key=_payment_key_of(wire)).first()


def _payment_key_of(wire: Wire) -> str:
    return f"{WIRE_KEY_PREFIX}{wire.pk}"


def _begin_wire_payment(
    wire: Wire, screening_outcome: ScreeningOutcome, facts: dict[str, Any], now: datetime
) -> Send:
    """Create the payment of a wire according to its screen: to be sent, held, or stopped."""
    recipient = wire.recipient
    send_request = SendRequest(
        account_id=wire.account_id,
        recipient_id=recipient.recipient_id,
        amount=wire.amount,
        method=WIRE,
        note=wire.memo,
        key=_payment_key_of(wire),
        category=wire.category,
        additional_info=wire.additional_info,
    )
    row = build_send(send_request, recipient, _desk_caller(recipient), now)
    # the only payments with this way: an API caller cannot make one
    row.way = "wire"
    listed_names = find_listed_names(engine.load_current_engine(now), payment_memo_of(row))
    flagged = screening_outcome.flagged or bool(listed_names)
    event = "STOPPED" if screening_outcome.blocked else "HELD" if flagged else "TAKEN"
    known = facts | {"sanctions": screening_outcome.recorded()}
    # the rows of rules/automatic_sending.py that a screen can bring about
    codes = ["ACH-3" if screening_outcome.near else "ACH-10"] if screening_outcome.flagged else []
    send_findings = build_send_findings(
        row,
        [*codes, *([NOTED] if listed_names else [])],
        screening_outcome=screening_outcome,
        named=listed_names,
    )
    marks = {"findings": send_findings.recorded()} if event == "HELD" else {}
    record_new_row(row, event, now=now, facts=known | marks)
    if event == "STOPPED":
        log_blocked_send(
            row, stopping_rule_of(screening_outcome), screening_outcome=screening_outcome, now=now
        )
    elif event == "HELD":
        shown = known | {"sanctions": screening_outcome.shown()}
        open_send_case(row, send_findings, now=now, facts=shown)
    else:
        job_queue.enqueue_job(job=SEND_JOB, key=str(row.pk), now=now)
    return row


@transaction.atomic
def reject_wire(*, change: Wire, by: "User", now: datetime, note: str) -> None:
    """Reject a wire, with the reason."""
    change.settle(approved=False, by=by, note=note, now=now, refused=WireConflict)
