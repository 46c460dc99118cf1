"""What outcomes teach: frozen until there are enough, shrunk, bounded, and the sum is kept."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.insight.stability.oracle.rules.layers import TIERS, initial_weights
from apps.insight.stability.oracle.rules.weight_comparison import (
    ResolvedWeek,
    count_ordered_pairs,
    explain_refusal,
)
from apps.insight.stability.oracle.rules.weight_updates import (
    FURTHEST,
    MOST_MOVE,
    POLICY_THRESHOLD,
    WarningCounts,
    WeekOutcome,
    compute_moves,
    count_warnings,
    explain_freeze,
    is_bad_week,
    weights_after_moves,
)

WEEKS = st.lists(
    st.builds(WeekOutcome, st.booleans(), st.frozensets(st.sampled_from(TIERS))), max_size=300
)


@pytest.mark.parametrize(
    ("deviation", "moved", "is_bad"),
    [("49.99", "3.99", False), ("50", "0", True), ("0", "4", True), ("0", "-4", True),
     ("0", "-3.99", False)],
)  # fmt: skip
def test_what_a_bad_week_is(deviation: str, moved: str, is_bad: bool) -> None:
    assert is_bad_week(deviation=Decimal(deviation), moved=Decimal(moved)) is is_bad


@pytest.mark.parametrize(
    ("bads", "goods", "may"),
    [(10, 39, False), (10, 40, True), (9, 91, False), (91, 9, False), (40, 10, True)],
)
def test_nothing_moves_before_there_is_enough_of_each(bads: int, goods: int, may: bool) -> None:
    assert (explain_freeze(WarningCounts(bads, goods)) == "") is may
    moved = compute_moves(
        counts=WarningCounts(bads, goods, {"fx": bads}, {}), current=initial_weights()
    )
    assert any(one.was != one.becomes for one in moved) is may


def test_a_tier_that_warns_before_what_is_bad_gains_and_one_that_cries_wolf_loses() -> None:
    outcomes = [WeekOutcome(True, frozenset({"fx"}))] * 40 + [
        WeekOutcome(False, frozenset({"climate"}))
    ] * 60
    after = {
        move.tier: move
        for move in compute_moves(counts=count_warnings(outcomes), current=initial_weights())
    }
    assert after["fx"].becomes > after["fx"].was and after["climate"].becomes < after["climate"].was
    assert after["fx"].why == "warned before 40 of 40 bad and 0 of 60 good weeks"


@given(outcomes=WEEKS, steps=st.integers(1, 6))
def test_steps_are_bounded_and_the_tiers_keep_their_sum(
    outcomes: list[WeekOutcome], steps: int
) -> None:
    first, held = initial_weights(), initial_weights()
    for _ in range(steps):
        moves = compute_moves(counts=count_warnings(outcomes), current=held)
        for move in moves:
            assert abs(move.becomes - move.was) <= first[move.tier] * MOST_MOVE // 100
            least, most = (first[move.tier] * share // 100 for share in FURTHEST)
            assert least <= move.becomes <= most
        held = weights_after_moves(moves, current=held)
        assert sum(held.values()) == 1000
        assert (held["credit"], held["usd"]) == (first["credit"], first["usd"])


def test_policy_is_never_executed_by_itself() -> None:
    assert Decimal("0.99") == POLICY_THRESHOLD


def test_weeks_are_ranked_by_their_score_and_ties_count_half() -> None:
    low, high = {"fx": 10, "macro": 10}, {"fx": 90, "macro": 10}
    weights = {"fx": 1, "macro": 1}
    assert count_ordered_pairs([ResolvedWeek(True, low), ResolvedWeek(False, high)], weights) == (
        2,
        2,
    )
    assert count_ordered_pairs([ResolvedWeek(True, high), ResolvedWeek(False, low)], weights) == (
        0,
        2,
    )
    assert count_ordered_pairs([ResolvedWeek(True, low), ResolvedWeek(False, low)], weights) == (
        1,
        2,
    )
    assert count_ordered_pairs(
        [ResolvedWeek(True, high), ResolvedWeek(False, low)], {"fx": 0, "macro": 1}
    ) == (1, 2)
    assert count_ordered_pairs([ResolvedWeek(True, {})], weights) == (0, 0)


@pytest.mark.parametrize(
    ("after", "each", "stands"),
    [((98, 100), 10, True), ((97, 100), 10, False), ((100, 100), 10, True), ((100, 100), 9, False)],
)
def test_a_change_that_tells_bad_weeks_worse_is_refused(
    after: tuple[int, int], each: int, stands: bool
) -> None:
    assert (explain_refusal(before=(100, 100), after=after, each=each) == "") is stands
