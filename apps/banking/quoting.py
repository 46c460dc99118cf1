"""Has a bank payment quoted by the settlement agent, and says what it was told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.banking.interim import route
from apps.banking.models import BankTransaction
from apps.core.shapes import epoch
from apps.core.written import in_decimals

PROCEED = "PROCEED"
COMPONENTS = ("core", "fx", "esg", "license", "total")


@dataclass(frozen=True, slots=True)
class Quoted:
    """What came of it: a quote with what is told of it, or that the checks halt it."""

    decision: str
    why: str = ""
    quote_id: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def halted(self) -> bool:
        """Whether a check stands against it."""
        return self.decision != PROCEED


def quoted(row: BankTransaction, *, now: datetime) -> Quoted:
    """Ask for the quote and the order of a payment; in the transaction that notes them.

    Whatever settlement raises means that it cannot be quoted now.
    """
    amount = row.amount or Decimal(0)
    found = route(
        order_id=row.order_id,
        amount_usd=amount,
        destination=row.destination,
        recipient=row.wallet,
        owner=row.owner,
        now=now,
    )
    if found.decision != PROCEED:
        return Quoted(found.decision, found.block_reason)
    quote = str(found.quote_id)
    said = {
        "quote_id": quote,
        "amount": in_decimals(amount),
        "asset": found.asset,
        "recipient": row.wallet,
        "destination_currency": row.destination,
        "fees": {name: in_decimals(Decimal(found.fees[name])) for name in COMPONENTS},
        "execution": _execution(found.execution),
    }
    return Quoted(PROCEED, quote_id=quote, said=said)


def _execution(one: Any) -> dict[str, Any]:
    return {
        "chain_id": one.chain_id,
        "network": one.network,
        "asset": one.asset,
        "asset_address": one.asset_address,
        "recipient": one.recipient,
        "amount": in_decimals(one.amount),
        "amount_minor": str(one.amount_minor),
        "reference": one.reference,
        "deadline": epoch(one.deadline),
    }
