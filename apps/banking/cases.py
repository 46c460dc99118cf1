"""Opens the cases of the banking connector; none of them names who sent or receives money."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.banking.models import BankTransaction
from apps.banking.rules.routing import HALTED, Row
from apps.review.actions import Opening, open_case

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
