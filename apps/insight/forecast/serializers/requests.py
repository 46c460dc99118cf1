"""Requests about books: positions, a scenario, a report."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.rules.scenarios import SCENARIO_IDS
from apps.platform.api.shapes import Code, ListOf, Number, OneOf, Shape, Text

KNOWN = frozenset(SYMBOLS)
# positions of one book
MOST = 2000
CENT = Decimal("0.01")
# USD of one position; the sum of MOST of them is still exact in 28 digits
LARGEST = Decimal("100_000_000_000")


class MarketSymbol(Code):
    """A symbol of two to ten letters; a well-formed symbol may still not be supported."""

    pattern, longest = "^[A-Za-z]{2,10}$", 10

    def to_internal_value(self, data: Any) -> str:
        # nearly every line of a book has one of these
        if isinstance(data, str) and data in KNOWN:
            return data
        code = super().to_internal_value(data)
        if not (len(code) >= 2 and code.isalpha()):
            raise serializers.ValidationError("A symbol is two to ten letters, such as WHEAT.")
        return code


class PositionIn(Shape):
    """A position: its market, and its size in USD, below 0 if it is short."""

    symbol = MarketSymbol(help_text="One of the eleven symbols of the heat check.")
    notional_usd = Number(
        min_value=-LARGEST,
        max_value=LARGEST,
        max_digits=14,
        decimal_places=2,
        help_text="USD, with at most two decimals; negative for a short position.",
    )

    def run_validation(self, data: Any = empty) -> Any:
        """Return a position, parsed directly if it is plain, otherwise field by field."""
        return read_plain_position(data) or super().run_validation(data)


def read_plain_position(data: Any) -> dict[str, Any] | None:
    """Return a position that is plainly valid; None for all others."""
    # books have thousands of positions, and validating each field by field takes most of a call;
    # the fields give the same result for these, and the error messages for the rest
    if type(data) is not dict or len(data) != 2:
        return None
    symbol: Any = data.get("symbol")
    size: Any = data.get("notionalUsd")
    if type(symbol) is not str or symbol not in KNOWN:
        return None
    if type(size) not in (int, Decimal) or not -LARGEST <= size <= LARGEST:
        return None
    usd = Decimal(size).quantize(CENT)
    return {"symbol": symbol, "notional_usd": usd} if usd == size else None


class PortfolioIn(Shape):
    """A book. Positions of one market are netted before anything is calculated."""

    positions = ListOf(
        child=PositionIn(), min_length=1, max_length=MOST, help_text=f"1 to {MOST} positions."
    )
    label = Text(  # type: ignore[assignment]
        required=False, max_length=200, help_text="Returned unchanged."
    )


class ScenarioIn(Shape):
    """A book under one scenario."""

    scenario = OneOf(choices=SCENARIO_IDS, help_text="One of the nine scenarios.")
    positions = ListOf(
        child=PositionIn(), min_length=1, max_length=MOST, help_text=f"1 to {MOST} positions."
    )


class ReportIn(Shape):
    """A book, and the company and period of the report."""

    positions = ListOf(
        child=PositionIn(), min_length=1, max_length=MOST, help_text=f"1 to {MOST} positions."
    )
    entity_name = Text(required=False, max_length=300, help_text="Returned unchanged.")
    reporting_period = Text(
        required=False, max_length=60, help_text="Such as 2025 or 2025-Q4; returned unchanged."
    )
