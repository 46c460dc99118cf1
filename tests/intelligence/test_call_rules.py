"""Calls on 48 hours: frequencies of what followed, held against all days."""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal

import pytest

from apps.insight.intelligence.rules import calls_48h
from apps.insight.intelligence.rules.calls_48h import (
    AHEAD,
    CallCase,
    brier_score,
    collect_past_cases,
    count_separate_cases,
    make_call,
    score_past_calls,
    smoothed_chances,
)

DAY = timedelta(days=1)
START = date(2016, 1, 4)  # a Monday


def band(score: Decimal) -> str:
    return "LOW" if score < 50 else "HIGH"


def days(scores: Sequence[float]) -> list[tuple[date, Decimal]]:
    """Scores of working days."""
    found, day = [], START
    for score in scores:
        found.append((day, Decimal(str(score))))
        day += (3 if day.weekday() == 4 else 1) * DAY
    return found


def swinging(count: int) -> list[tuple[date, Decimal]]:
    """A score that goes up for four days and down for four."""
    return days([[40, 41, 42, 43, 44, 43, 42, 41][n % 8] for n in range(count)])


def test_a_state_that_was_always_followed_by_a_rise_is_called_so() -> None:
    past = days([[10, 20, 30][n % 3] for n in range(400)])
    call = make_call(past, band, AHEAD)
    assert call.cases >= calls_48h.LEAST_CASES and call.state is not None
    assert call.direction in calls_48h.OUTCOMES
    assert sum(call.chances.values()) == pytest.approx(Decimal(1))
    assert call.edge is not None and call.edge == (
        call.chances[call.direction] - call.base[call.direction]
    )
    assert call.conviction == "CLEAR" and call.record is not None and call.record.skill > 0


def test_thirty_cases_are_needed() -> None:
    assert make_call(swinging(30), band, AHEAD).direction == calls_48h.NO_CALL
    few = make_call(swinging(30), band, AHEAD)
    assert (few.chances, few.base, few.edge, few.conviction) == ({}, {}, None, "NONE")
    assert make_call(swinging(400), band, AHEAD).direction != calls_48h.NO_CALL
    assert make_call([], band, AHEAD).direction == calls_48h.NO_CALL


def test_of_chance_it_says_so() -> None:
    made = random.Random(7)
    at, walk = 50.0, []
    for _ in range(3000):
        at = min(max(at + made.gauss(0, 1), 0), 100)
        walk.append(round(at, 4))
    call = make_call(days(walk), band, AHEAD)
    assert call.record is not None and abs(call.record.skill) < Decimal("0.02")
    assert call.conviction in ("NONE", "WEAK")


def test_a_case_is_resolved_48_hours_later_or_when_markets_open() -> None:
    resolved_by_day = {
        past_case.day: past_case.resolved
        for past_case in collect_past_cases(swinging(20), band, AHEAD)
    }
    thursday = START + 10 * DAY
    assert thursday.weekday() == 3 and resolved_by_day[thursday] == thursday + 4 * DAY
    assert all((to - day).days <= 4 for day, to in resolved_by_day.items())


def test_over_a_gap_nothing_is_counted() -> None:
    past = swinging(10)
    later = [(day + 60 * DAY, score) for day, score in swinging(10)]
    past_cases = collect_past_cases([*past, *later], band, AHEAD)
    assert {
        past_case.day for past_case in past_cases if past_case.resolved - past_case.day > 4 * DAY
    } == set()
    assert past[-1][0] not in {past_case.day for past_case in past_cases}
    assert later[0][0] not in {past_case.day for past_case in past_cases}  # it came from nowhere


def test_a_call_from_farther_back_counts_what_followed_as_much_later() -> None:
    past_cases = collect_past_cases(swinging(60), band, 7 * DAY)
    assert {(past_case.resolved - past_case.day).days for past_case in past_cases} <= {7, 8, 9}


def test_cases_that_overlap_are_not_counted_twice() -> None:
    past_cases = collect_past_cases(swinging(100), band, 7 * DAY)
    assert count_separate_cases(past_cases) < len(past_cases) / 4
    assert count_separate_cases(past_cases[:1]) == 1 and count_separate_cases([]) == 0


def test_a_record_knows_nothing_of_what_was_open() -> None:
    """A case is called by those alone that had been resolved by its day."""
    call_case = CallCase(
        day=START, state=("LOW", "HIGHER"), resolved=START + 2 * DAY, outcome="HIGHER"
    )
    every = [
        CallCase(
            day=START + n * DAY,
            state=call_case.state,
            resolved=START + 9999 * DAY,
            outcome="HIGHER",
        )
        for n in range(100)
    ]
    assert score_past_calls(every) is None
    call_cases = [
        CallCase(
            day=START + n * DAY, state=call_case.state, resolved=START + n * DAY, outcome="HIGHER"
        )
        for n in range(100)
    ]
    past_calls = score_past_calls(call_cases)
    # the first thirty are not called: those before them were too few
    assert past_calls is not None and past_calls.scored == 70
    assert past_calls.skill == 0 and past_calls.brier < Decimal("0.01")


@pytest.mark.parametrize(
    ("said", "outcome", "error"),
    [
        ({"HIGHER": 1, "LOWER": 0, "UNCHANGED": 0}, "HIGHER", 0),
        ({"HIGHER": 1, "LOWER": 0, "UNCHANGED": 0}, "LOWER", 2),
    ],
)
def test_an_error_is_squared_over_all_outcomes(
    said: dict[str, int], outcome: str, error: int
) -> None:
    assert brier_score({name: Decimal(one) for name, one in said.items()}, outcome) == error


def test_nothing_is_impossible_and_nothing_certain() -> None:
    outcome_chances = smoothed_chances(Counter({"HIGHER": 30}))
    assert (
        outcome_chances["HIGHER"] == Decimal(31) / 33
        and outcome_chances["LOWER"] == Decimal(1) / 33
    )
