"""The past of a composite: each day placed among what was seen up to it."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from apps.insight.intelligence.recomputed_score_history import (
    build_score_history,
    current_score_history,
)
from apps.reference.signals.composites import Composite, Part
from tests.intelligence.written_histories import Past, known, past

ROW = Composite(
    name="test",
    title="Of the tests' own",
    start=date(2000, 1, 1),
    parts=(
        Part(series="a", weight=Decimal("0.6"), required=True),
        Part(series="b", weight=Decimal("0.4"), direction=-1),
    ),
    bands=((50, "CALM"), (100, "STRESSED")),
)
MONTHS = 150
numbers = st.lists(st.integers(-99, 99), min_size=MONTHS, max_size=MONTHS)


@given(numbers, numbers)
def test_its_end_is_the_composite_of_now(first: list[int], second: list[int]) -> None:
    given_ = known({"a": past(first), "b": past(second)})
    score = given_.compose(ROW).score
    assert abs(current_score_history(given_, ROW)[-1][1] - score) <= Decimal("0.0001")


@given(numbers, st.integers(1, 20))
def test_what_comes_later_changes_nothing_before(first: list[int], less: int) -> None:
    whole: Past = past(first)
    short = build_score_history(ROW, {"a": whole[:-less], "b": whole[:-less]})
    assert build_score_history(ROW, {"a": whole, "b": whole})[: len(short)] == short


def test_before_ten_years_there_is_none() -> None:
    new_past = past(range(MONTHS))
    score_history = build_score_history(ROW, {"a": new_past, "b": new_past})
    assert score_history[0][0] >= new_past[0][0] + timedelta(days=3652)
    assert len(score_history) == sum(
        day >= new_past[0][0] + timedelta(days=3652) for day, _ in new_past
    )


def test_without_a_required_input_there_is_none_and_without_another_there_is() -> None:
    new_past = past(range(MONTHS))
    assert build_score_history(ROW, {"b": new_past}) == []
    score_history = build_score_history(ROW, {"a": new_past})
    assert score_history and {score for _, score in score_history} == {Decimal(100)}


def test_what_comes_seldom_counts_with_its_last_value() -> None:
    daily = past(range(4000), step=timedelta(days=1))
    rare = past(range(MONTHS))
    score_history = build_score_history(ROW, {"a": daily, "b": rare})
    assert [day for day, _ in score_history[-3:]] == [day for day, _ in daily[-3:]]
