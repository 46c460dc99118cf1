"""Judges an ACH payment before it fires: POST /bank/ach-authorize (document 2 sections 2.5, 4)."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.banking import adapter, judging
from apps.banking.adapter import NoBank
from apps.banking.judging import Found, Given
from apps.banking.models import BankEvent, Recipient, Send
from apps.banking.projection import BankRowUnproved
from apps.banking.recipients import token_of
from apps.banking.rules.ach import APPROVED, ROWS, Judgement
from apps.banking.screens import Looked
from apps.banking.sends import AccountNotYours, accounts_of, of_key, payable, row_of
from apps.banking.sends import Asked as Wanted
from apps.core import macs
from apps.core.callers import Caller
from apps.core.chain import proven
from apps.core.pipeline import Refusal
from apps.core.problems import DomainError

METHOD = "ach"
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
    header_key: str = ""

    @property
    def given(self) -> Given:
        """The name and the account that the payer was given."""
        token = token_of(self.routing_number, self.account_number)
        return Given(self.account_name, token, self.account_number[-4:])


def conclude(
    *, asked: Asked, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Judge a payment; have it sent, reviewed or refused. See AchOut."""
    if not adapter.configured():
        raise NoBank("No bank is configured here: nothing can be sent.")
    recipient = payable(asked.recipient_id, caller)
    accounts = accounts_of(caller.ref)
    if not accounts:
        raise AccountNotYours("BANK_ACCOUNTS gives you no account to pay from.")
    row = _row(asked, recipient, accounts[0], caller, now)
    before = of_key(row.way, asked.header_key, row.fingerprint, caller)
    if before is not None:
        return _answer(before, _as_found(before))
    found = judging.found(row, asked.given, caller=caller, now=now)
    judging.take(row, found, asked.given, now=now)
    return _answer(row, found)


def _answer(row: Send, found: Found) -> dict[str, Any] | Refusal:
    """Return what a payment came to, as its caller is told."""
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
        "anomalyScore": int(compliance["anomaly_score"]),
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
        key=asked.header_key,
    )
    row = row_of(wanted, recipient, caller, now)
    row.way = "ach"
    said = [row.fingerprint, asked.account_name, asked.given.token]
    row.fingerprint = macs.keyed(what="ach payment", of=said)
    return row


def _as_found(row: Send) -> Found:
    """Return what was found of a payment as it was judged; BankRowUnproved (503) without that."""
    (first,) = proven(BankEvent.objects.filter(subject=row.subject, number=1)) or (None,)
    if first is None or first.purged:
        raise BankRowUnproved("What was found of it is not kept any more.")
    held, looked = first.data, first.data["sanctions"]
    rows = tuple(one for one in (*ROWS, APPROVED) if one.code in held["rules"])
    return Found(
        Judgement(held["decision"], rows),
        Looked(
            looked["score"],
            tuple(looked["entries"]),
            (),
            looked["lists"],
            decision=looked.get("decision", ""),
            rules=tuple(looked.get("rules", ())),
        ),
        held["aml"]["score"],
        held["aml"]["tier"],
    )


def said(row: Send, found: Found) -> dict[str, Any]:
    """Return what a payment came to; see AchOut."""
    one = found.judgement
    return {
        "decision": one.decision,
        "requires_review": one.reviewed,
        "auto_execute": one.fires,
        "payment_id": str(row.send_id),
        "compliance": {
            "sanctions_clean": found.looked.clean,
            "anomaly_score": Decimal(found.score),
            "risk_tier": found.tier,
        },
    }
