"""How far ahead one series has told of another."""

import random
from datetime import date
from decimal import Decimal

import pytest

from apps.insight.intelligence.rules import lead_lag
from apps.insight.intelligence.rules.lead_lag import (
    LeadLag,
    change_by_period,
    find_best_lag,
    last_value_by_period,
    word_of_lead,
)


def noise(count: int, seed: int = 1) -> dict[int, float]:
    made = random.Random(seed)
    return {n: made.gauss(0, 1) for n in range(count)}


@pytest.mark.parametrize("lag", [0, 5, 26])
def test_a_follower_is_found_at_its_lag(lag: int) -> None:
    first, own = noise(400), noise(400, seed=2)
    second = {n + lag: one + own[n] for n, one in first.items()}
    best_lag = find_best_lag(first, second, lead_lag.WEEK_LAGS)
    assert best_lag is not None and (best_lag.lag, best_lag.significant) == (lag, True)
    assert best_lag.pairs == 400 and 0.6 < best_lag.correlation < 0.8


def test_what_has_nothing_to_do_with_it_does_not_stand_out() -> None:
    best_lags = [
        find_best_lag(noise(300, seed=n), noise(300, seed=n + 1000), lead_lag.WEEK_LAGS)
        for n in range(40)
    ]
    assert sum(best_lag is not None and best_lag.significant for best_lag in best_lags) <= 4


def test_two_that_merely_drift_are_worth_few_pairs() -> None:
    def walk(seed: int) -> dict[int, float]:
        at, found = 0.0, {}
        for n, step in noise(300, seed=seed).items():
            at += step
            found[n] = at
        return found

    best_lags = [find_best_lag(walk(n), walk(n + 1000), lead_lag.WEEK_LAGS) for n in range(20)]
    assert any(best_lag is not None and abs(best_lag.correlation) > 0.6 for best_lag in best_lags)
    assert sum(best_lag is not None and best_lag.significant for best_lag in best_lags) <= 1


def test_fewer_than_sixty_pairs_are_no_lead() -> None:
    first = noise(59)
    best_lag = find_best_lag(first, first, range(1))
    assert (
        best_lag is not None
        and best_lag.correlation == pytest.approx(1)
        and not best_lag.significant
    )
    assert LeadLag(lag=0, correlation=1, pairs=60, effective=60).significant


def test_what_does_not_move_leads_nothing() -> None:
    still = dict.fromkeys(range(100), 1.0)
    assert find_best_lag(still, noise(100), lead_lag.WEEK_LAGS) is None
    assert find_best_lag({}, noise(100), lead_lag.WEEK_LAGS) is None


def test_a_gap_is_never_joined() -> None:
    assert change_by_period({1: 1.0, 2: 3.0, 4: 9.0}) == {2: 2.0}
    assert change_by_period({1: 1.0, 4: 9.0}, span=3) == {4: 8.0}


def test_the_last_value_of_a_week_is_that_of_the_week() -> None:
    days = [(date(2026, 11, 16), Decimal(1)), (date(2026, 11, 20), Decimal(2)),
            (date(2026, 11, 23), Decimal(3))]  # fmt: skip
    weeks = last_value_by_period(days, lead_lag.week_number)
    assert list(weeks.values()) == [2.0, 3.0]
    assert max(weeks) - min(weeks) == 1


FOUND = LeadLag(lag=3, correlation=-0.5, pairs=200, effective=200)


@pytest.mark.parametrize(
    ("found", "newest", "word"),
    [
        (FOUND, -9.0, "DOLLAR_BID"),
        (FOUND, 9.0, "DOLLAR_OFFERED"),
        (FOUND, 0.1, "NEUTRAL"),
        (LeadLag(lag=3, correlation=-0.1, pairs=200, effective=200), 9.0, "UNKNOWN"),
        (None, 9.0, "UNKNOWN"),
    ],
)
def test_a_large_move_stands_for_what_followed_such(
    found: LeadLag | None, newest: float, word: str
) -> None:
    assert word_of_lead(found, noise(20) | {20: newest}, lead_lag.DOLLAR) == word
