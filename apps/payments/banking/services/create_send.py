"""Payments out of an account: POST /bank/send. The row is written before the bank is called.

One transaction stores the row and the job that sends it; the answer says PENDING. A repeated
`idempotencyKey` returns the same payment with its current state.
"""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from rest_framework.exceptions import ValidationError

from apps.payments.banking.account_access import check_account_access
from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import BankNotConfigured
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import Recipient, Send
from apps.payments.banking.rules import failure_messages
from apps.payments.banking.rules.send_fields import find_send_faults
from apps.payments.banking.rules.settlement_tags import parse_evm_wallet, parse_tags
from apps.payments.banking.rules.transitions import TAKEN_STATES
from apps.payments.banking.services import judge_send
from apps.payments.banking.services.judge_send import GivenPayee
from apps.platform.api.answers import Answer, Refusal
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, Conflict, DomainError, NotFound
from apps.platform.crypto.canonical import canonical_digest

# how a payment is shown to its requester: the reason of a hold or stop is confidential
STATUS_BY_STATE = dict.fromkeys(("TAKEN", "HELD", "UNCLEAR"), "PENDING") | {
    taken_state: taken_state for taken_state in TAKEN_STATES
}


class IdempotencyKeyReused(Conflict):
    """The idempotencyKey was used for another payment."""

    code, title = "idempotency_key_reused", "Key already used"


class PaymentBlocked(DomainError):
    """The payment must not be sent: a compliance check objects to it."""

    status, code, title = 403, "payment_blocked", "The payment is blocked"


class RecipientTakesWiresOnly(DomainError):
    """The recipient accepts only international wires."""

    status, code, title = 422, "wires_alone", "The recipient accepts only international wires"


class RoutingWalletMissing(DomainError):
    """`svcRoute` needs a wallet in the note, or a default recipient of this installation."""

    status, code, title = 422, "no_route", "No wallet to route to"


@dataclass(frozen=True, slots=True)
class SendRequest:
    """A requested payment; the recipient is one that the caller saved."""

    account_id: uuid.UUID
    recipient_id: uuid.UUID
    amount: Decimal
    method: str
    note: str = ""
    key: str = ""
    category: str = ""
    additional_info: str = ""
    svc_route: bool = False

    @property
    def fingerprint(self) -> str:
        """A digest of everything that distinguishes it from another payment."""
        fingerprinted = [self.account_id, self.recipient_id, self.amount, self.method, self.note]
        return canonical_digest(
            [*fingerprinted, self.category, self.additional_info, self.svc_route]
        )


def build_send_request(*, header_key: str = "", **given: Any) -> SendRequest:
    """Build a request from the values of SendIn; ValidationError (400) for missing ones.

    The call's Idempotency-Key is the payment's if its body has none.
    """
    if faults := find_send_faults(given):
        raise ValidationError({name: [fault] for name, fault in faults.items()})
    note = given.get("note", "")
    if given["svc_route"]:
        note = _add_wallet_tag(note)
    return SendRequest(
        account_id=given["account_id"],
        recipient_id=given["recipient_id"],
        amount=given["amount"],
        method=given["payment_method"],
        note=note,
        # document 2 section 2.5: the key is in the body; the header is an addition of ours
        key=given.get("idempotency_key") or header_key,
        category=(given.get("purpose") or {}).get("category", ""),
        additional_info=given.get("additional_info", ""),
        svc_route=given["svc_route"],
    )


def _add_wallet_tag(note: str) -> str:
    """Return a note that is tagged for settlement; RoutingWalletMissing where it can name no
    wallet.
    """
    # the payer named a wallet: the default must not be added beside it, as two wallets hold a
    # payment (BR-13)
    if parse_tags({"note": note}).wallets:
        return note
    wallet = parse_evm_wallet(settings.BANK_DEFAULT_RECIPIENT)
    if not wallet:
        raise RoutingWalletMissing(
            "Give the wallet in the note, as svc:0x…: no default is configured."
        )
    return f"{note} svc:{wallet}".strip()


def conclude_send(
    *, asked: SendRequest, gathered: Any, caller: Caller, now: datetime
) -> Answer | Refusal | dict[str, Any]:
    """Accept a payment, or return that of its key; see SendOut."""
    if not bank_api.is_bank_configured():
        raise BankNotConfigured("No bank is configured here, so nothing can be sent.")
    if (before := _find_earlier_send(asked, caller)) is not None:
        return Answer(serialize_send(before), status=200)
    recipient = load_payable_recipient(asked.recipient_id, caller)
    check_account_access(asked.account_id, caller)
    row = build_send(asked, recipient, caller, now)
    payee = build_given_payee(recipient)
    try:
        with transaction.atomic():
            send = judge_send.judge_send(row, payee, caller=caller, now=now)
            judge_send.begin_send(row, send, payee, now=now)
    except IntegrityError:
        # the same key at the same moment: only the savepoint is rolled back, the other one counts
        before = _find_earlier_send(asked, caller)
        if before is None:
            raise
        return Answer(serialize_send(before), status=200)
    # returned, not raised: the stopped payment and its SAR entry must be committed
    if row.state == "STOPPED":
        return Refusal(PaymentBlocked(failure_messages.STOPPED))
    return Answer(serialize_send(row), status=202)


def build_given_payee(recipient: Recipient) -> GivenPayee:
    """Return what a payer knows of a payee that it names only by id: the saved details."""
    return GivenPayee(recipient.name, recipient.token, recipient.tail)


def _find_earlier_send(send_request: SendRequest, caller: Caller) -> Send | None:
    """Return the payment that has this key; PaymentBlocked (403) if it was stopped."""
    send = find_send_by_key("send", send_request.key, send_request.fingerprint, caller)
    if send is not None and send.state == "STOPPED":
        raise PaymentBlocked(failure_messages.STOPPED)
    return send


def find_send_by_key(way: str, key: str, fingerprint: str, caller: Caller) -> Send | None:
    """Return the caller's payment that came by a way with a key; IdempotencyKeyReused (409) for
    another.
    """
    rows = Send.objects.select_related("recipient").filter(owner=caller.ref, way=way, key=key)
    # without a key every request is a new payment
    send = rows.first() if key else None
    if send is None:
        return None
    if send.fingerprint != fingerprint:
        raise IdempotencyKeyReused("This key was already used for another payment.")
    return verify_rows([send])[0]


def load_recipient(recipient_id: uuid.UUID, caller: Caller) -> Recipient:
    """Return a recipient that the caller saved; NotFound (404) for another's."""
    recipient = Recipient.objects.filter(owner=caller.ref, recipient_id=recipient_id).first()
    if recipient is None:
        raise NotFound(NO_SUCH_ID)
    return verify_rows([recipient])[0]


def load_payable_recipient(recipient_id: uuid.UUID, caller: Caller) -> Recipient:
    """Return a recipient that institutions pay by themselves; NotFound (404),
    RecipientTakesWiresOnly (422).
    """
    recipient = load_recipient(recipient_id, caller)
    if recipient.kind == "WIRE":
        raise RecipientTakesWiresOnly(
            "Two people on the desk propose and approve payments to this recipient."
        )
    return recipient


def build_send(
    send_request: SendRequest, recipient: Recipient, caller: Caller, now: datetime
) -> Send:
    """Return the unsaved row of a payment."""
    return Send(
        send_id=uuid.uuid4(),
        owner=caller.ref,
        way="send",
        # the column is unique with owner and way, so a payment without a key gets one
        key=send_request.key or str(uuid.uuid4()),
        fingerprint=send_request.fingerprint,
        bank_key=uuid.uuid4(),
        recipient=recipient,
        account_id=send_request.account_id,
        amount=send_request.amount,
        method=send_request.method,
        note=send_request.note,
        category=send_request.category,
        additional_info=send_request.additional_info,
        svc_route=send_request.svc_route,
        asked_at=now,
        due_at=now,
    )


def serialize_send(row: Send) -> dict[str, Any]:
    """Serialize a payment."""
    payload = {
        "id": str(row.send_id),
        # STOPPED and REFUSED are both FAILED: which it was must not show (document 1 section 2.4)
        "status": STATUS_BY_STATE.get(row.state, "FAILED"),
        "account_id": str(row.account_id),
        "recipient_id": str(row.recipient.recipient_id),
        "amount": row.amount,
        "payment_method": row.method,
        "idempotency_key": row.key,
        "asked_at": row.asked_at,
    }
    recipient, at_bank = row.recipient.state, row.bank_status
    later = {
        "transaction_id": row.bank_id,
        "sent_at": row.sent_at,
        "error": failure_messages.describe_failure(
            state=row.state, recipient=recipient, bank_status=at_bank
        ),
    }
    return payload | {name: value for name, value in later.items() if value}
