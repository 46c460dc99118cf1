"""Scores of forecasts: worked cases, and what must hold of any forecast."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.intelligence.rules.forecast_scores import (
    BOOTSTRAP_DRAWS,
    LEAST_CASES,
    bin_by_confidence,
    brier_score,
    ranked_probability_score,
    skill_interval,
    skill_score,
)

CHANCES = st.lists(st.integers(0, 100), min_size=5, max_size=5).filter(any)
COIN = [0.5, 0.5]


def shared(parts: list[int]) -> list[float]:
    return [part / sum(parts) for part in parts]


@pytest.mark.parametrize(
    ("chances", "came", "expected"),
    [
        ([1, 0, 0, 0, 0], 0, 0.0),
        ([1, 0, 0, 0, 0], 4, 2.0),
        ([0.2] * 5, 2, 0.8),
        ([0.1, 0.6, 0.3], 1, 0.01 + 0.16 + 0.09),
        (COIN, 1, 0.5),
    ],
)
def test_brier_by_hand(chances: list[float], came: int, expected: float) -> None:
    assert brier_score(chances, came) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("chances", "came", "expected"),
    [
        ([1, 0, 0, 0, 0], 0, 0.0),
        ([1, 0, 0, 0, 0], 1, 0.25),
        ([1, 0, 0, 0, 0], 4, 1.0),
        ([0.25] * 4, 0, (0.5625 + 0.25 + 0.0625) / 3),
        ([0.1, 0.6, 0.3], 1, (0.01 + 0.09) / 2),
    ],
)
def test_ranked_probability_by_hand(chances: list[float], came: int, expected: float) -> None:
    assert ranked_probability_score(chances, came) == pytest.approx(expected)


@given(parts=CHANCES, came=st.integers(0, 4))
def test_scores_stay_within_their_bounds(parts: list[int], came: int) -> None:
    chances = shared(parts)
    assert 0 <= brier_score(chances, came) <= 2
    assert 0 <= ranked_probability_score(chances, came) <= 1 + 1e-12


@given(parts=CHANCES, other=CHANCES)
def test_nobody_gains_by_saying_what_they_do_not_believe(
    parts: list[int], other: list[int]
) -> None:
    belief, said = shared(parts), shared(other)
    for score in (brier_score, ranked_probability_score):
        honest = sum(chance * score(belief, at) for at, chance in enumerate(belief))
        assert honest <= sum(chance * score(said, at) for at, chance in enumerate(belief)) + 1e-9


@given(parts=CHANCES)
def test_scores_do_not_change_when_the_order_is_turned_around(parts: list[int]) -> None:
    chances = shared(parts)
    assert ranked_probability_score(chances, 1) == pytest.approx(
        ranked_probability_score(chances[::-1], 3)
    )


@pytest.mark.parametrize(
    ("scores", "against", "expected"),
    [([0.602], [0.709], 0.1509), ([0.893], [0.709], -0.2595), ([0.5], [0.5], 0), ([], [], None),
     ([0.0], [0.0], None)],
)  # fmt: skip
def test_skill_by_hand(scores: list[float], against: list[float], expected: float | None) -> None:
    found = skill_score(scores, against)
    assert found == (expected if expected is None else pytest.approx(expected, abs=1e-4))


def test_an_interval_is_the_same_each_time_and_holds_the_skill() -> None:
    scores = [((7 * at) % 11) / 11 for at in range(120)]
    against = [((5 * at) % 13) / 10 for at in range(120)]
    found = skill_interval(scores, against, block=6)
    assert found == skill_interval(scores, against, block=6)
    middle = skill_score(scores, against)
    assert found is not None and middle is not None and found[0] < middle < found[1]


def test_an_interval_of_what_never_differs_has_no_width() -> None:
    found = skill_interval([0.3] * 60, [0.6] * 60, block=10)
    assert found == (pytest.approx(0.5), pytest.approx(0.5))


def test_stretches_that_hang_together_widen_an_interval() -> None:
    scores = [0.1 if (at // 20) % 2 else 0.9 for at in range(200)]
    narrow, wide = (skill_interval(scores, [1.0] * 200, block=size) for size in (1, 20))
    assert narrow is not None and wide is not None
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


@pytest.mark.parametrize(("count", "block"), [(LEAST_CASES - 1, 1), (39, 20), (0, 1)])
def test_too_few_cases_have_no_interval(count: int, block: int) -> None:
    assert skill_interval([0.1] * count, [0.2] * count, block=block) is None
    assert BOOTSTRAP_DRAWS >= 1000


def test_bins_below_twenty_join_the_next() -> None:
    cases = [(0.35, 15, 5), (0.45, 10, 6), (0.55, 30, 15), (0.95, 4, 4)]
    first, last = bin_by_confidence(cases)
    assert (first.low, first.high, first.count) == (0.0, 0.5, 25)
    assert (first.said, first.came) == (pytest.approx(0.39), pytest.approx(11 / 25))
    assert (last.low, last.high, last.count, last.came) == (0.5, 1.0, 34, pytest.approx(19 / 34))


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(1, 30)), max_size=40))
def test_no_case_is_lost_and_no_bin_is_small(found: list[tuple[int, int]]) -> None:
    bins = bin_by_confidence((sure / 100, count, count // 2) for sure, count in found)
    total = sum(count for _, count in found)
    assert all(bin_.count >= LEAST_CASES for bin_ in bins)
    assert sum(bin_.count for bin_ in bins) == (total if total >= LEAST_CASES else 0)
