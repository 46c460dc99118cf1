"""Judges an ACH payment before it fires: POST /bank/ach-authorize (document 2 sections 2.5, 4)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from apps.aml.screening import asked as aml_asked
from apps.aml.screening import conclude as aml_conclude
from apps.aml.screening import gather as aml_gather
from apps.banking import adapter, sanctions
from apps.banking.adapter import NoBank
from apps.banking.cases import log_blocked, send_held
from apps.banking.models import Recipient, Send
from apps.banking.moving import begin
from apps.banking.recipients import token_of
from apps.banking.rules.ach import Facts, Judgement, judge
from apps.banking.sanctions import Looked
from apps.banking.sends import SEND, AccountNotYours, accounts_of, recipient_of, row_of
from apps.banking.sends import Asked as Wanted
from apps.core import jobs
from apps.core.callers import Caller
from apps.core.pipeline import Refusal
from apps.core.problems import DomainError
from apps.names.payee.comparing import compare

METHOD = "ach"
EVENTS = {"APPROVED": "TAKEN", "FLAGGED": "HELD", "BLOCKED": "STOPPED"}
LONGEST_NAME = 300


class AchBlocked(DomainError):
    """The payment must not proceed: a compliance check stands against it."""

    status, code, title = 403, "ach_blocked", "The payment is blocked"


@dataclass(frozen=True, slots=True)
class Asked:
    """A payment as it is asked for."""

    recipient_id: uuid.UUID
    amount: Decimal
    account_name: str
    routing_number: str
    account_number: str
    memo: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """What was looked up: the AML screen as it was gathered, and what the lists have."""

    judgement: Judgement
    looked: Looked
    score: int
    tier: str


def conclude(
    *, asked: Asked, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Judge a payment; have it sent, reviewed or refused. See AchOut."""
    if not adapter.configured():
        raise NoBank("No bank is configured here: nothing can be sent.")
    recipient = recipient_of(asked.recipient_id, caller)
    accounts = accounts_of(caller.ref)
    if not accounts:
        raise AccountNotYours("BANK_ACCOUNTS gives you no account to pay from.")
    row = _row(asked, recipient, accounts[0], caller, now)
    found = _found(asked, recipient, row, caller, now)
    _begin(row, found, now)
    answer = said(row, found)
    if found.judgement.decision == "BLOCKED":
        told = {name: answer[name] for name in ("decision",)}
        flags = {"requiresReview": False, "autoExecute": False}
        return Refusal(
            AchBlocked(
                "A compliance check stands against it: it must not proceed.",
                members=told | flags | {"compliance": _wire(answer["compliance"])},
            )
        )
    return answer


def _wire(compliance: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "sanctionsClean": compliance["sanctions_clean"],
        "anomalyScore": compliance["anomaly_score"],
        "riskTier": compliance["risk_tier"],
    }


def _row(
    asked: Asked, recipient: Recipient, account: uuid.UUID, caller: Caller, now: datetime
) -> Send:
    wanted = Wanted(
        account_id=account,
        recipient_id=asked.recipient_id,
        amount=asked.amount,
        method=METHOD,
        note=asked.memo,
        key=f"ach:{uuid.uuid4()}",
    )
    row = row_of(wanted, recipient, caller, now)
    row.way = "ach"
    return row


def _found(asked: Asked, recipient: Recipient, row: Send, caller: Caller, now: datetime) -> Found:
    """Make the checks; the AML engine comes last: it locks what it judges by."""
    looked = sanctions.look([recipient.name, asked.account_name], now=now)
    given = token_of(asked.routing_number, asked.account_number)
    alike = compare(submitted=asked.account_name, registered=recipient.name)
    action, score, tier = _judged(row, given, caller, now, stopped=looked.listed)
    facts = Facts(
        listed=looked.listed,
        near=looked.near,
        action=action,
        same_account=given == recipient.token,
        same_name=alike.band == "MATCH",
    )
    return Found(judge(facts), looked, score, tier)


def _judged(
    row: Send, token: str, caller: Caller, now: datetime, *, stopped: bool
) -> tuple[str, int, str]:
    """Return what the AML engine makes of account -> recipient: action, score and tier.

    An account is known to it by a keyed digest, and by no number.
    """
    asked = aml_asked.Asked(
        wallet=f"bank-account:{row.account_id}",
        counterparty=f"bank-recipient:{token[:40]}",
        amount=row.amount,
        currency="USD",
        payment_id=str(row.send_id),
        direction="SEND",
    )
    gathered = aml_gather.gather(asked=asked, now=now)
    with transaction.atomic():
        found = aml_conclude.conclude(
            asked=asked,
            gathered=gathered,
            caller=caller,
            now=now,
            opens=_none,
            stopped=stopped,
        )
    return found["action"], found["riskScore"], found["riskTier"]


def _none(*, opening: Any, now: datetime) -> None:
    """Open no case of its own: the payment has one for all that was found."""


def _begin(row: Send, found: Found, now: datetime) -> None:
    rules = [one.code for one in found.judgement.rows]
    facts = {
        "rules": rules,
        "decision": found.judgement.decision,
        "sanctions": found.looked.recorded(),
        "aml": {"score": found.score, "tier": found.tier},
    }
    begin(row, EVENTS[found.judgement.decision], now=now, facts=facts)
    if found.judgement.fires:
        jobs.enqueue(job=SEND, key=str(row.pk), now=now)
    elif found.judgement.reviewed:
        send_held(row, *rules, now=now, facts=facts)
    elif found.looked.listed:
        log_blocked(row, *rules, looked=found.looked, now=now)


def said(row: Send, found: Found) -> dict[str, Any]:
    """Return what a payment came to; see AchOut."""
    one = found.judgement
    return {
        "decision": one.decision,
        "requires_review": one.reviewed,
        "auto_execute": one.fires,
        "payment_id": str(row.send_id),
        "compliance": {
            "sanctions_clean": not (found.looked.listed or found.looked.near),
            "anomaly_score": Decimal(found.score),
            "risk_tier": found.tier,
        },
    }
