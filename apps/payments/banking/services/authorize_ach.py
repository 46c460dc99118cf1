"""Check an ACH payment before it fires: POST /bank/ach-authorize (document 2 sections 2.5, 4)."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.payments.banking.account_access import AccountNotYours, list_own_accounts
from apps.payments.banking.clients import bank_api
from apps.payments.banking.clients.bank_api import BankNotConfigured
from apps.payments.banking.integrity import BankRowIntegrityError
from apps.payments.banking.models import BankEvent, Send
from apps.payments.banking.rules.automatic_sending import APPROVED, ROWS, PaymentJudgement
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.payments.banking.services import judge_send
from apps.payments.banking.services.create_send import (
    SendRequest,
    build_send,
    find_send_by_key,
    load_payable_recipient,
)
from apps.payments.banking.services.judge_send import GivenPayee, SendJudgement
from apps.payments.banking.services.recipients import account_token
from apps.platform.api.answers import Refusal
from apps.platform.api.callers import Caller
from apps.platform.common.problems import DomainError
from apps.platform.crypto import macs
from apps.platform.ledger.verification.verified_reads import filter_verified_records

ACH_METHOD = "ach"


class AchPaymentBlocked(DomainError):
    """The payment must not proceed: a compliance check objects to it."""

    status, code, title = 403, "ach_blocked", "The payment is blocked"


@dataclass(frozen=True, slots=True)
class AchRequest:
    """A requested payment."""

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
    """Check a payment; then have it sent, reviewed or refused. See AchOut."""
    if not bank_api.is_bank_configured():
        raise BankNotConfigured("No bank is configured here, so nothing can be sent.")
    recipient = load_payable_recipient(asked.recipient_id, caller)
    accounts = list_own_accounts(caller.ref)
    if not accounts:
        raise AccountNotYours("BANK_ACCOUNTS gives you no account to pay from.")
    send_request = SendRequest(
        account_id=accounts[0],
        recipient_id=asked.recipient_id,
        amount=asked.amount,
        method=ACH_METHOD,
        note=asked.memo,
        key=asked.header_key,
    )
    row = build_send(send_request, recipient, caller, now)
    row.way = "ach"
    # name and account as the payer gave them belong to the request: the same key with another
    # account is another payment
    fingerprinted = [row.fingerprint, asked.account_name, asked.given.token]
    row.fingerprint = macs.keyed_digest(what="ach payment", of=fingerprinted)
    before = find_send_by_key(row.way, asked.header_key, row.fingerprint, caller)
    if before is not None:
        # a repeat of the payment gets the recorded outcome, not a new one: lists and profiles may
        # have changed since
        (first,) = filter_verified_records(
            BankEvent.objects.filter(subject=before.subject, number=1)
        ) or (None,)
        if first is None or first.purged:
            raise BankRowIntegrityError("The result of this check is no longer stored.")
        judgement, sanctions = first.data, first.data["sanctions"]
        # APPROVED is outside the table, as it needs no condition
        rows = tuple(rule for rule in (*ROWS, APPROVED) if rule.code in judgement["rules"])
        recorded_judgement = SendJudgement(
            PaymentJudgement(judgement["decision"], rows),
            ScreeningOutcome(
                sanctions["score"],
                tuple(sanctions["entries"]),
                (),
                sanctions["lists"],
                decision=sanctions.get("decision", ""),
                rules=tuple(sanctions.get("rules", ())),
                left=sanctions.get("left"),
            ),
            judgement["aml"]["score"],
            judgement["aml"]["tier"],
        )
        return _build_ach_answer(before, recorded_judgement)
    send = judge_send.judge_send(row, asked.given, caller=caller, now=now)
    judge_send.begin_send(row, send, asked.given, now=now)
    return _build_ach_answer(row, send)


def _build_ach_answer(row: Send, send_judgement: SendJudgement) -> dict[str, Any] | Refusal:
    """Return the outcome of a payment for its caller."""
    answer = serialize_ach_judgement(row, send_judgement)
    if send_judgement.judgement.decision == "BLOCKED":
        compliance = answer["compliance"]
        # returned, not raised: the stopped payment and its SAR entry must be committed
        return Refusal(
            AchPaymentBlocked(
                "A compliance check objects to this payment: it must not proceed.",
                # a problem document is not rendered by AchOut: names and numbers as on the wire
                members={
                    "decision": answer["decision"],
                    "requiresReview": False,
                    "autoExecute": False,
                    "compliance": {
                        "sanctionsClean": compliance["sanctions_clean"],
                        "anomalyScore": int(compliance["anomaly_score"]),
                        "riskTier": compliance["risk_tier"],
                    },
                },
            )
        )
    return answer


def serialize_ach_judgement(row: Send, send_judgement: SendJudgement) -> dict[str, Any]:
    """Serialize the outcome of a payment; see AchOut."""
    judgement = send_judgement.judgement
    return {
        "decision": judgement.decision,
        "requires_review": judgement.reviewed,
        "auto_execute": judgement.fires,
        "payment_id": str(row.send_id),
        "compliance": {
            "sanctions_clean": send_judgement.looked.clean,
            "anomaly_score": Decimal(send_judgement.score),
            "risk_tier": send_judgement.tier,
        },
    }
