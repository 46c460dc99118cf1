"""Judges an ACH payment before it fires: POST /bank/ach-authorize (document 2 sections 2.5, 4)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import BankNotConfigured
from apps.payments.banking.integrity import BankRowIntegrityError
from apps.payments.banking.models import BankEvent, Recipient, Send
from apps.payments.banking.rules.ach import APPROVED, ROWS, PaymentJudgement
from apps.payments.banking.screening.screens import ScreeningOutcome
from apps.payments.banking.services import authorize_send
from apps.payments.banking.services.authorize_send import GivenPayee, SendJudgement
from apps.payments.banking.services.create_send import (
    AccountNotYours,
    SendRequest,
    build_send,
    find_send_by_key,
    list_own_accounts,
    load_payable_recipient,
)
from apps.payments.banking.services.recipients import account_token
from apps.platform.api.answers import Refusal
from apps.platform.api.callers import Caller
from apps.platform.common.problems import DomainError
from apps.platform.crypto import macs
from apps.platform.ledger.verification.hash_chain import filter_verified_records

ACH_METHOD = "ach"


class AchPaymentBlocked(DomainError):
    """The payment must not proceed: a compliance check objects to it."""

    status, code, title = 403, "ach_blocked", "The payment is blocked"


@dataclass(frozen=True, slots=True)
class AchRequest:
    """A payment as it is asked for."""

    recipient_id: uuid.UUID
    amount: Decimal
    account_name: str
    routing_number: str
    account_number: str
    memo: str = ""
    header_key: str = ""

    @property
    def given(self) -> GivenPayee:
        """The name and the account that the payer was given."""
        token = account_token(self.routing_number, self.account_number)
        return GivenPayee(self.account_name, token, self.account_number[-4:])


def conclude_ach_authorization(
    *, asked: AchRequest, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Judge a payment; have it sent, reviewed or refused. See AchOut."""
    if not bank_api.is_bank_configured():
        raise BankNotConfigured("No bank is configured here, so nothing can be sent.")
    recipient = load_payable_recipient(asked.recipient_id, caller)
    accounts = list_own_accounts(caller.ref)
    if not accounts:
        raise AccountNotYours("BANK_ACCOUNTS gives you no account to pay from.")
    row = _build_ach_send(asked, recipient, accounts[0], caller, now)
    before = find_send_by_key(row.way, asked.header_key, row.fingerprint, caller)
    if before is not None:
        return _build_ach_answer(before, _load_recorded_judgement(before))
    found = authorize_send.judge_send(row, asked.given, caller=caller, now=now)
    authorize_send.begin_send(row, found, asked.given, now=now)
    return _build_ach_answer(row, found)


def _build_ach_answer(row: Send, send_judgement: SendJudgement) -> dict[str, Any] | Refusal:
    """Return what a payment came to, as its caller is told."""
    answer = serialize_ach_judgement(row, send_judgement)
    if send_judgement.judgement.decision == "BLOCKED":
        told = {name: answer[name] for name in ("decision",)}
        flags = {"requiresReview": False, "autoExecute": False}
        return Refusal(
            AchPaymentBlocked(
                "A compliance check objects to this payment: it must not proceed.",
                members=told | flags | {"compliance": _serialize_compliance(answer["compliance"])},
            )
        )
    return answer


def _serialize_compliance(compliance: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "sanctionsClean": compliance["sanctions_clean"],
        "anomalyScore": int(compliance["anomaly_score"]),
        "riskTier": compliance["risk_tier"],
    }


def _build_ach_send(
    ach_request: AchRequest, recipient: Recipient, account: uuid.UUID, caller: Caller, now: datetime
) -> Send:
    send_request = SendRequest(
        account_id=account,
        recipient_id=ach_request.recipient_id,
        amount=ach_request.amount,
        method=ACH_METHOD,
        note=ach_request.memo,
        key=ach_request.header_key,
    )
    row = build_send(send_request, recipient, caller, now)
    row.way = "ach"
    said = [row.fingerprint, ach_request.account_name, ach_request.given.token]
    row.fingerprint = macs.keyed_digest(what="ach payment", of=said)
    return row


def _load_recorded_judgement(row: Send) -> SendJudgement:
    """Return what was found of a payment as it was judged; BankRowIntegrityError (503) without
    that.
    """
    (first,) = filter_verified_records(BankEvent.objects.filter(subject=row.subject, number=1)) or (
        None,
    )
    if first is None or first.purged:
        raise BankRowIntegrityError("The result of this check is no longer stored.")
    held, looked = first.data, first.data["sanctions"]
    rows = tuple(one for one in (*ROWS, APPROVED) if one.code in held["rules"])
    return SendJudgement(
        PaymentJudgement(held["decision"], rows),
        ScreeningOutcome(
            looked["score"],
            tuple(looked["entries"]),
            (),
            looked["lists"],
            decision=looked.get("decision", ""),
            rules=tuple(looked.get("rules", ())),
            left=looked.get("left"),
        ),
        held["aml"]["score"],
        held["aml"]["tier"],
    )


def serialize_ach_judgement(row: Send, found: SendJudgement) -> dict[str, Any]:
    """Return what a payment came to; see AchOut."""
    judgement = found.judgement
    return {
        "decision": judgement.decision,
        "requires_review": judgement.reviewed,
        "auto_execute": judgement.fires,
        "payment_id": str(row.send_id),
        "compliance": {
            "sanctions_clean": found.looked.clean,
            "anomaly_score": Decimal(found.score),
            "risk_tier": found.tier,
        },
    }
