"""Holdings as a request names them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.esg.sfdr.rules.holdings import Block

# the field of a request that names a holding
BLOCK_BY_FIELD: dict[str, Block] = {
    "lei": "COMPANY",
    "country": "SOVEREIGN",
    "property": "REAL_ESTATE",
    "other": "OTHER",
}


@dataclass(frozen=True, slots=True)
class RequestedHolding:
    """One submitted holding; `value` is in its currency, None if all weigh the same.

    `on` is the end of the quarter at which it was worth that, None for one day alone.
    """

    id: str
    block: Block
    value: Decimal | None
    currency: str
    given: tuple[Mapping[str, Any], ...] = ()
    on: date | None = None

    @property
    def key(self) -> tuple[Block, str]:
        """Which thing is held."""
        return self.block, self.id


def parse_requested_holdings(body: Mapping[str, Any]) -> list[RequestedHolding]:
    """Return the holdings of a request, each with the end of its quarter where it has one."""
    if body.get("quarters"):
        return [
            _parse_requested_holding(holding, body["currency"], quarter["quarter_end"])
            for quarter in body["quarters"]
            for holding in quarter["holdings"]
        ]
    if body.get("holdings"):
        return [_parse_requested_holding(holding, body["currency"]) for holding in body["holdings"]]
    return [
        RequestedHolding(lei, "COMPANY", None, body["currency"]) for lei in body.get("leis", [])
    ]


def _parse_requested_holding(
    row: Mapping[str, Any], currency: str, on: date | None = None
) -> RequestedHolding:
    block, name = identify_holding(row)
    inputs = tuple(row.get("inputs", ()))
    return RequestedHolding(name, block, row["value"], row.get("currency") or currency, inputs, on)


def identify_holding(holding: Mapping[str, Any]) -> tuple[Block, str]:
    """Return which thing a holding of a request is."""
    return next(
        (block, holding[field]) for field, block in BLOCK_BY_FIELD.items() if field in holding
    )
