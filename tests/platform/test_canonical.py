"""One byte form for a value: equal values have it, different ones do not."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal, localcontext
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.platform.crypto.canonical import canonical_digest, canonical_json

DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=None)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [True, None, "é"]}, '{"a":[true,null,"é"],"b":1}'),
        (Decimal("1.50"), '"1.5"'),
        (Decimal("100"), '"100"'),
        (Decimal("1E+3"), '"1000"'),
        (Decimal("0.00"), '"0"'),
        (Decimal("-0"), '"0"'),
        (Decimal("-0.10"), '"-0.1"'),
        (Decimal("1.2345678901234567890123456789012345"), '"1.2345678901234567890123456789012345"'),
        (date(2026, 11, 20), '"2026-11-20"'),
        (datetime(2026, 11, 20, 12, tzinfo=UTC), '"2026-11-20T12:00:00+00:00"'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        ((1, 2), "[1,2]"),
    ],
)
def test_each_value_has_its_one_form(value: Any, text: str) -> None:
    assert canonical_json(value).decode() == text


def test_the_same_moment_in_another_zone_is_the_same() -> None:
    here = datetime(2026, 11, 20, 14, tzinfo=timezone(timedelta(hours=2)))
    assert canonical_json(here) == canonical_json(datetime(2026, 11, 20, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    "value",
    [
        1.5,
        {"a": [{"b": 0.1}]},
        float("nan"),
        Decimal("NaN"),
        Decimal("Infinity"),
        {1: "a"},
        {None: 1},
        {"a": {2: 3}},
        datetime(2026, 1, 1),
        {1, 2},
        b"bytes",
        object(),
    ],
)
def test_what_has_no_one_form_raises(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical_json(value)


@given(DECIMALS.filter(lambda d: abs(d.adjusted()) < 200), st.integers(0, 20))
def test_decimals_keep_their_value_and_drop_their_zeros(value: Decimal, zeros: int) -> None:
    text = json.loads(canonical_json(value))
    assert Decimal(text) == value
    wider = value.as_tuple()
    padded = Decimal((wider.sign, wider.digits + (0,) * zeros, int(wider.exponent) - zeros))
    assert canonical_json(padded) == canonical_json(value)


@given(st.dictionaries(st.text(st.characters(codec="utf-8")), st.integers(), max_size=6))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert canonical_digest(value) == canonical_digest(dict(reversed(value.items())))
    assert json.loads(canonical_json(value)) == value
    assert len(canonical_digest(value)) == 64


def test_different_values_differ() -> None:
    fine = Decimal("1.0000000000000000000000000001")
    values = [1, "1", True, [1], {"1": 1}, None, "", [], {}, fine]
    with localcontext(prec=40):
        values.append(fine + Decimal("1E-30"))
    assert len({canonical_digest(value) for value in values}) == len(values)
