"""How positions are read: at once where nothing can be said against one, and never otherwise."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.serializers.requests import LARGEST, PositionIn, read_plain_position
from apps.platform.api.shapes import Shape

ODD = ("wheat", "XYZ", "W", "", " WHEAT", "WHEAT1", None, 1)
exact = st.decimals(min_value=-(10**13), max_value=10**13, places=3, allow_nan=False)
sizes = st.one_of(
    exact,
    st.decimals(min_value=-LARGEST, max_value=LARGEST, places=2),
    st.integers(-(2 * 10**11), 2 * 10**11),
    st.sampled_from(
        [Decimal("-0.0"), Decimal("1E+11"), Decimal("1E-300"), Decimal("1.000"), Decimal("1E+20"),
         LARGEST, -LARGEST, True, None, "1", [], 0]
    ),
)  # fmt: skip


def by_fields(data: Any) -> Any:
    """Return what the fields of a position read of it, or what they say against it."""
    shape = PositionIn()
    try:
        return dict(Shape.run_validation(shape, data))
    except ValidationError as error:
        return error.detail


@given(symbol=st.sampled_from([*SYMBOLS, *ODD]), size=sizes)
def test_what_is_read_at_once_is_read_the_same_by_the_fields(symbol: Any, size: Any) -> None:
    data = {"symbol": symbol, "notionalUsd": size}
    plain_position, told = read_plain_position(data), by_fields(data)
    if plain_position is not None:
        assert told == plain_position
        assert str(told["notional_usd"]) == str(plain_position["notional_usd"])


@pytest.mark.parametrize(
    ("size", "cents"),
    [(250000, "250000.00"), (Decimal("100000.55"), "100000.55"), (Decimal("-7.1"), "-7.10"),
     (LARGEST, "100000000000.00"), (-LARGEST, "-100000000000.00"), (0, "0.00")],
)  # fmt: skip
def test_a_plain_position_is_read_in_cents(size: Any, cents: str) -> None:
    plain_position = read_plain_position({"symbol": "WHEAT", "notionalUsd": size})
    assert plain_position is not None and str(plain_position["notional_usd"]) == cents


@pytest.mark.parametrize(
    "data",
    [
        {"symbol": "WHEAT", "notionalUsd": Decimal("0.001")},
        {"symbol": "WHEAT", "notionalUsd": LARGEST + Decimal("0.01")},
        {"symbol": "WHEAT", "notionalUsd": -LARGEST - Decimal("0.01")},
        {"symbol": "WHEAT", "notionalUsd": True},
        {"symbol": "WHEAT", "notionalUsd": "1"},
        {"symbol": "XYZ", "notionalUsd": 1},
        {"symbol": ["WHEAT"], "notionalUsd": 1},
        {"symbol": "WHEAT"},
        {"symbol": "WHEAT", "notionalUsd": 1, "strange": 1},
        ["WHEAT", 1],
        None,
    ],
)
def test_all_else_is_left_to_the_fields(data: Any) -> None:
    assert read_plain_position(data) is None
