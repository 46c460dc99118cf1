"""Composites: each input by its place in its own history, contributions that sum to the score."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.esg.oracle.composites import OWN_COMPOSITES
from apps.reference.signals.composites import COMPOSITES, Composite, Part
from apps.reference.signals.composition import (
    ComposedScore,
    compose_score,
    rank_in_history,
    split_score,
)
from apps.reference.signals.points import Point
from apps.reference.signals.quality import TooFewInputs
from tests.conftest import NOON

DAY = timedelta(days=1)
ROW = Composite(
    name="test",
    title="Of the tests' own",
    start=date(2010, 1, 1),
    parts=(
        Part(series="a", weight=Decimal("0.3")),
        Part(series="b", weight=Decimal("0.7"), direction=-1),
    ),
    bands=((50, "CALM"), (100, "STRESSED")),
)
Past = list[tuple[date, Decimal]]


def past(values: list[str], years: int = 16) -> Past:
    last = NOON.date() - DAY
    step = timedelta(days=365 * years // max(len(values) - 1, 1))
    return [(last - n * step, Decimal(one)) for n, one in enumerate(reversed(values))][::-1]


def point(name: str, held: Past, **options: Any) -> Point:
    day, value = held[-1]
    told: dict[str, Any] = {
        "source": "FED", "kind": "observed", "max_age": 6 * DAY, "unit": "index",
        "vintage": NOON, "licence": "public domain",
    }  # fmt: skip
    return Point(series=name, day=day, value=value, **told | options)


def score(held: dict[str, Past], row: Composite = ROW, as_of: datetime = NOON) -> ComposedScore:
    points = {name: point(name, one) for name, one in held.items() if one}
    return compose_score(row, points=points, histories=held, as_of=as_of)


@pytest.mark.parametrize(
    ("value", "direction", "expected"),
    [
        ("1", 1, "25"),
        ("4", 1, "100"),
        ("0", 1, "0"),
        ("1", -1, "100"),
        ("4", -1, "25"),
        ("9", -1, "0"),
    ],
)
def test_a_value_has_its_place_among_all_that_were(
    value: str, direction: int, expected: str
) -> None:
    values = [Decimal(n) for n in range(1, 5)]
    assert rank_in_history(Decimal(value), values, direction) == Decimal(expected)


def test_a_low_value_is_strain_where_the_row_says_so() -> None:
    composed_score = score({"a": past(["1", "2", "3", "4"]), "b": past(["4", "3", "2", "1"])})
    assert (composed_score.score, composed_score.band) == (Decimal(100), "STRESSED")
    composed_score = score({"a": past(["4", "3", "2", "1"]), "b": past(["1", "2", "3", "4"])})
    assert (composed_score.score, composed_score.band) == (Decimal(25), "CALM")


def test_an_input_with_less_than_ten_years_counts_as_none() -> None:
    long, short = past(["1", "2"]), past(["1", "2"], years=9)
    composed_score = score({"a": short, "b": long})
    assert (composed_score.quality.label, composed_score.quality.missing) == ("PARTIAL", ("a",))
    assert composed_score.quality.reasons == ("short:a",)
    with pytest.raises(TooFewInputs, match="b: history too short: 107 of 120 months"):
        score({"a": long, "b": short})


numbers = st.lists(st.decimals(-99, 99, places=2), min_size=2, max_size=12)


@given(numbers, numbers)
def test_contributions_sum_to_the_score(first: list[Decimal], second: list[Decimal]) -> None:
    composed_score = score({"a": past([*map(str, first)]), "b": past([*map(str, second)])})
    assert (
        sum(contribution.share for contribution in composed_score.contributions)
        == composed_score.score
    )
    assert 0 <= composed_score.score <= 100
    assert sum(contribution.weight for contribution in composed_score.contributions) == 1


def test_an_input_that_is_missing_leaves_its_weight_to_the_others() -> None:
    composed_score = score({"a": [], "b": past(["4", "3", "2", "1"])})
    assert (composed_score.score, composed_score.contributions[0].share) == (
        Decimal(100),
        Decimal(100),
    )


@pytest.mark.parametrize("row", (*COMPOSITES, *OWN_COMPOSITES.values()), ids=lambda row: row.name)
def test_each_input_that_drops_out_lowers_the_coverage_by_its_weight(row: Composite) -> None:
    whole = {part.series: past(["1", "2", "3"]) for part in row.parts}
    assert score(whole, row).quality.coverage == 1
    for part in row.parts:
        held = {**whole, part.series: []}
        left = 1 - part.weight
        if part.required or left < row.coverage:
            with pytest.raises(TooFewInputs):
                score(held, row)
        else:
            composed_score = score(held, row)
            assert (composed_score.quality.coverage, composed_score.quality.missing) == (
                left,
                (part.series,),
            )
            assert composed_score.quality.label == "PARTIAL"
            assert (
                sum(contribution.share for contribution in composed_score.contributions)
                == composed_score.score
            )


@pytest.mark.parametrize("row", (*COMPOSITES, *OWN_COMPOSITES.values()), ids=lambda row: row.name)
def test_where_all_that_counts_is_at_its_worst_the_score_is_100_and_not_more(
    row: Composite,
) -> None:
    rises, falls = past(["1", "2", "3"]), past(["3", "2", "1"])
    worst = {part.series: rises if part.direction > 0 else falls for part in row.parts}
    spare = [part.series for part in row.parts if not part.required]
    for lost in [(), *combinations(spare, 1), *combinations(spare, 2)]:
        left = sum(part.weight for part in row.parts if part.series not in lost)
        if left >= row.coverage:
            composed_score = score(worst | {name: [] for name in lost}, row)
            assert composed_score.score == 100, lost


@pytest.mark.parametrize(
    ("weighed", "held", "expected"),
    [
        (["15", "15", "15"], "0.45", ["33.3334", "33.3333", "33.3333"]),
        (["0.00004", "0.00005"], "1", ["0", "0.0001"]),
        (["0.00002", "0.00002"], "1", ["0", "0"]),
        (["0", "0"], "0.6", ["0", "0"]),
        (["30", "40"], "0.7", ["42.8571", "57.1429"]),
    ],
)
def test_what_is_left_over_goes_to_the_largest_remainders(
    weighed: list[str], held: str, expected: list[str]
) -> None:
    found = split_score([Decimal(one) for one in weighed], held=Decimal(held))
    assert found == [Decimal(one) for one in expected]
