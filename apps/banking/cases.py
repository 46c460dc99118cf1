"""Opens the cases of the banking connector, and its entries in the SAR log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.banking.folding import OPERATOR
from apps.banking.models import BankTransaction, Send
from apps.banking.rules.ach import ROWS
from apps.banking.rules.reconciling import Difference
from apps.banking.rules.routing import HALTED, Row
from apps.banking.sanctions import Looked
from apps.core.canonical import digest
from apps.review.actions import Opening, open_case
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts

KIND = "bank_payment"
UNDONE = "BR-19"
UNDONE_SAYS = "A payment that was routed did not come about at the bank."


def held(row: BankTransaction, why: Row, *, now: datetime) -> None:
    """Open the case of a tagged payment that cannot be routed as it is."""
    _open(row, why.code, why.says, {}, now)


def halted(row: BankTransaction, *, decision: str, why: str, now: datetime) -> None:
    """Open the case of a payment that the checks of settlement halt."""
    _open(row, HALTED.code, f"{decision}: {why}", {"decision": decision, "why": why}, now)


def undone(row: BankTransaction, *, status: str, now: datetime) -> None:
    """Open the case of a payment that was routed and then failed at the bank; once."""
    ref, more = f"{row.pk}.undone", {"status": status, "quote": row.quote_id}
    _open(row, UNDONE, UNDONE_SAYS, more, now, ref=ref, risk="HIGH")


def _open(
    row: BankTransaction,
    rule: str,
    sentence: str,
    evidence: Mapping[str, Any],
    now: datetime,
    *,
    ref: str = "",
    risk: str = "MEDIUM",
) -> None:
    opening = Opening(
        kind=KIND,
        ref=ref or f"{row.pk}.{row.steps}",
        owner=row.owner,
        title=f"Bank payment {row.resource_id}",
        wallet=row.wallet,
        reference=row.resource_id,
        risk=risk,
        amount=row.amount,
        currency="USD" if row.amount is not None else "",
        amount_usd=row.amount,
        reasons=[{"ref": rule, "sentence": sentence}],
        evidence={"transaction": {"id": row.resource_id, "seen": row.seen_at.isoformat()}}
        | dict(evidence),
    )
    open_case(opening=opening, now=now)


SENDS = "bank_send"
WHY_SEND = {one.code: one.says for one in ROWS}


def send_held(row: Send, *rules: str, now: datetime, facts: Mapping[str, Any]) -> None:
    """Open the case of a payment that officers are to look at before it is sent."""
    opening = Opening(
        kind=SENDS,
        ref=str(row.send_id),
        owner=row.owner,
        title=f"Payment by the bank to {row.recipient.name}",
        party=row.recipient.name,
        country=row.recipient.country,
        reference=row.key[:200],
        risk="MEDIUM",
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=[{"ref": one, "sentence": WHY_SEND[one]} for one in rules],
        evidence={"payment": _payment(row)} | dict(facts),
    )
    open_case(opening=opening, now=now)


def _payment(row: Send) -> dict[str, str]:
    return {
        "id": str(row.send_id),
        "method": row.method,
        "from": str(row.account_id),
        "account": f"ending {row.recipient.tail}",
        "purpose": row.category,
    }


def log_blocked(row: Send, *rules: str, looked: Looked, now: datetime) -> None:
    """Enter a payment that a listed name stopped into the SAR log."""
    blocked = Blocked(
        kind=SENDS,
        ref=str(row.send_id),
        owner=row.owner,
        party=row.recipient.name,
        reasons=[WHY_SEND[one] for one in rules],
        rules=rules,
        sanctions=looked.listed and owes_ofac(looked.datasets),
        lists=looked.datasets,
        risk_score=looked.score,
        screened_at=now,
        facts=Facts(amount=row.amount, currency="USD", usd=row.amount, reference=row.key[:200]),
    )
    open_entry(blocked=blocked, now=now)


def differs(one: Difference, *, account: str, now: datetime) -> None:
    """Open the case of a difference between us and the bank; found again it is the same case."""
    amounts = {"ours": one.ours, "theirs": one.theirs}
    told = {name: f"{value:,.2f} USD" for name, value in amounts.items() if value is not None}
    known = one.ours if one.ours is not None else one.theirs
    opening = Opening(
        kind=KIND,
        ref=f"{one.kind.code}.{digest([account, one.bank_id])[:40]}",
        owner=OPERATOR,
        title=f"Difference at the bank: {one.bank_id}",
        reference=one.bank_id,
        risk="MEDIUM",
        amount=abs(known) if known is not None else None,
        currency="USD" if known is not None else "",
        reasons=[{"ref": one.kind.code, "sentence": one.kind.says}],
        evidence={"transaction": {"id": one.bank_id, "account": account}} | told,
    )
    open_case(opening=opening, now=now)
