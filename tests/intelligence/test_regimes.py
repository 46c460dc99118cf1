"""The past of the regimes, the chain over it, and months that are alike; without a database."""

import itertools
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from apps.insight.intelligence.regimes import (
    backtest,
    leading_signals,
    similar_months,
    transition_model,
)
from apps.insight.intelligence.regimes.past_months import RegimeMonth, build_past_months
from apps.insight.intelligence.rules.regimes import REGIMES, regime_index, trend_of_chances
from apps.reference.signals.composites import Composite, Part, find_composite
from apps.reference.signals.composition import History
from apps.reference.signals.derivations import (
    monthly_mean,
    monthly_swing_percent,
    monthly_swing_points,
)
from tests.intelligence.conftest import ask

ROW = Composite(
    name="test",
    title="Two inputs",
    start=date(1990, 1, 1),
    parts=(
        Part(series="gold", weight=Decimal("0.6")),
        Part(series="wheat", weight=Decimal("0.4"), direction=-1),
    ),
    bands=((100, "ANY"),),
)


def month(number: int, score: float, **leading: float) -> RegimeMonth:
    day = date(2000 + number // 12, number % 12 + 1, 1)
    return RegimeMonth(day=day, number=number, score=score, places={"gold": score}, leads=leading)


def ends(count: int, first: int = 1990) -> list[date]:
    starts = [date(first + at // 12, at % 12 + 1, 1) for at in range(1, count + 1)]
    return [day - timedelta(days=1) for day in starts]


def history(values: list[int]) -> History:
    return [(day, Decimal(value)) for day, value in zip(ends(len(values)), values, strict=True)]


@pytest.mark.parametrize(
    ("score", "regime"),
    [(0, "STABLE"), (19.99, "STABLE"), (20, "ELEVATED"), (59.9, "STRESSED"), (60, "CRITICAL"),
     (80, "CRISIS"), (100, "CRISIS")],
)  # fmt: skip
def test_regimes_are_twenty_points_wide(score: float, regime: str) -> None:
    assert REGIMES[regime_index(score)] == regime


@pytest.mark.parametrize(
    ("chances", "now", "word"),
    [([0, 0, 0.5, 0.5, 0], 2, "DETERIORATING"), ([0, 0.5, 0.5, 0, 0], 2, "IMPROVING"),
     ([0, 0.2, 0.6, 0.2, 0], 2, "STEADY"), ([0, 0, 0, 0.5, 0.5], 4, "IMPROVING")],
)  # fmt: skip
def test_a_trend_is_told_by_what_is_likelier(chances: list[float], now: int, word: str) -> None:
    assert trend_of_chances(chances, now) == word


def test_a_month_does_not_know_what_comes_after_it() -> None:
    calm = [(7 * at) % 50 for at in range(240)]
    shaken = calm[:200] + [900] * 40
    until = ends(200)[-1]
    found = [
        [
            past_month
            for past_month in build_past_months(ROW, both(values), until=ends(240)[-1])
            if past_month.day <= until
        ]
        for values in (calm, shaken)
    ]
    assert found[0] == found[1] and found[0]


def both(values: list[int]) -> Mapping[str, History]:
    return {"gold": history(values), "wheat": history(values)}


def test_a_value_counts_from_when_it_was_published() -> None:
    values = [10 + at % 7 for at in range(200)]
    values[-2] = 500  # of the month before the last: the price sheet has it days after its end
    past_months = build_past_months(
        ROW, {"gold": history(values), "wheat": history(values)}, until=ends(200)[-1]
    )
    assert past_months[-2].places["gold"] < 100
    assert past_months[-1].places["gold"] == 100


def test_too_little_gives_no_month_and_ten_years_come_first() -> None:
    values = [(7 * at) % 50 for at in range(200)]
    assert not build_past_months(ROW, {"wheat": history(values)}, until=ends(200)[-1])
    past_months = build_past_months(ROW, {"gold": history(values)}, until=ends(200)[-1])
    assert past_months[0].day >= date(2000, 1, 29)
    assert set(past_months[-1].places) == {"gold"}


@given(st.lists(st.floats(0, 100), min_size=0, max_size=80), st.floats(0, 100))
def test_chances_sum_to_one_and_nothing_is_impossible(scores: list[float], now: float) -> None:
    past = [month(at, score) for at, score in enumerate(scores)]
    for days in (30, 60, 90):
        for made in (
            transition_model.forecast_regime_chances(past, month(len(past), now), days),
            transition_model.markov_chances(past, now, days),
            transition_model.regression_chances(past, now, days),
            transition_model.climatology_chances(past),
        ):
            assert sum(made) == pytest.approx(1)
            assert all(0 < chance < 1 for chance in made)


def test_a_higher_score_never_makes_worse_regimes_less_likely_in_a_steady_past() -> None:
    past = [month(at, 50 + (at % 5) - 2) for at in range(120)]
    worse = [
        sum(transition_model.forecast_regime_chances(past, month(120, score), 30)[3:])
        for score in (45.0, 50.0, 55.0, 58.0)
    ]
    assert worse == sorted(worse)


def test_signals_weigh_more_at_longer_horizons_the_longer_they_lead() -> None:
    for lead in leading_signals.LEADING_SIGNALS:
        weights = [lead.weight(days) for days in (30, 60, 90)]
        assert weights == sorted(weights) and weights[0] < 1
    long, short = (
        max(leading_signals.LEADING_SIGNALS, key=lambda leading_signal: leading_signal.days),
        leading_signals.LEADING_SIGNALS[0],
    )
    assert long.weight(90) / long.weight(30) > short.weight(90) / short.weight(30)


def test_a_signal_that_told_the_future_is_heard_and_more_so_later() -> None:
    steps = [((13 * at) % 17) / 8 - 1 for at in range(240)]
    past = [month(at, 50 + 9 * (steps[at - 1] if at else 0), food=steps[at]) for at in range(240)]
    only = [
        leading_signal
        for leading_signal in leading_signals.LEADING_SIGNALS
        if leading_signal.name == "food"
    ]
    calm, loud = (
        transition_model.forecast_regime_chances(past, month(240, 50, food=step), 30, leads=only)
        for step in (-1.0, 1.0)
    )
    assert sum(loud[3:]) > sum(calm[3:])


def test_like_months_are_old_apart_and_the_likest_come_first() -> None:
    past = [
        RegimeMonth(day=date(2000 + at // 12, at % 12 + 1, 1), number=at, score=40.0,
              places={"a": 50 + at % 30, "b": 80.0}, leads={})
        for at in range(100)
    ]  # fmt: skip
    now = RegimeMonth(
        day=date(2008, 5, 1), number=100, score=40.0, places={"a": 60, "b": 80}, leads={}
    )
    found = similar_months.find_similar_months(past, now, figures_of=100)
    rates = [one.similarity for one in found]
    assert rates == sorted(rates, reverse=True) and len(found) == similar_months.MAX_SIMILAR_MONTHS
    numbers = sorted(one.month.number for one in found)
    assert all(b - a >= similar_months.LEAST_MONTHS_APART for a, b in itertools.pairwise(numbers))
    assert numbers[-1] < 97
    assert all(one.after is not None for one in found)
    # of the last three nobody knows what came
    ends = similar_months.find_similar_months(past[:95], now, figures_of=100)
    assert max(end.month.number for end in ends) <= 91


@pytest.mark.parametrize(("figures_of", "newest"), [(100, 96), (99, 95), (94, 90), (120, 96)])
def test_a_month_of_the_same_figures_is_no_month_like_this_one(
    figures_of: int, newest: int
) -> None:
    past = [
        RegimeMonth(day=date(2000 + at // 12, at % 12 + 1, 1), number=at, score=40.0,
              places={"a": 10 + at * 0.8, "b": 80.0}, leads={})
        for at in range(100)
    ]  # fmt: skip
    now = RegimeMonth(
        day=date(2008, 5, 1), number=100, score=40.0, places={"a": 90, "b": 80}, leads={}
    )
    found = similar_months.find_similar_months(past, now, figures_of=figures_of)
    assert max(one.month.number for one in found) == newest


@pytest.mark.django_db
def test_the_memory_of_the_sample_is_of_months_before_its_figures(buyer: APIClient) -> None:
    body = ask(buyer, "transition-risk").json()
    inputs = {part.series for part in find_composite("regime").parts}
    days = sorted(
        str(source["asOf"])[:10] for source in body["sources"] if source["series"] in inputs
    )
    for similar_scenario in body["scenarioMemory"]["similarScenarios"]:
        assert similar_scenario["date"] < days[len(days) // 2], similar_scenario


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ({"a": 90, "b": 10}, {"a": 70, "b": 30}, 1),
        ({"a": 90, "b": 10}, {"a": 10, "b": 90}, 0),
        ({"a": 90, "b": 50}, {"a": 50, "b": 90}, 0.5),
        ({"a": 50}, {"a": 90}, None),
        ({"a": 90, "b": 10, "c": 5}, {"a": 70}, None),
    ],
)
def test_alike_is_what_is_strained_together(one: Any, other: Any, expected: float | None) -> None:
    similarity = similar_months.measure_similarity(one, other)
    assert similarity == (expected if expected is None else pytest.approx(expected))


def test_a_backtest_walks_forward_and_never_looks_ahead() -> None:
    scores = [50 + 25 * ((7 * at) % 11 - 5) / 5 for at in range(120)]
    whole = [month(at, score) for at, score in enumerate(scores)]
    cut = whole[:100]
    key = lambda one: (one.method, one.days, one.month.number)  # noqa: E731
    full = {
        key(backtest_forecast): backtest_forecast.chances
        for backtest_forecast in backtest.walk_forward(whole, lambda *_: None)
    }
    part = {
        key(backtest_forecast): backtest_forecast.chances
        for backtest_forecast in backtest.walk_forward(cut, lambda *_: None)
    }
    assert part and all(full[name] == chances for name, chances in part.items())


def test_a_backtest_tells_what_is_true_of_a_past_that_never_moves() -> None:
    told: list[tuple[int, int]] = []
    still = [month(at, 50) for at in range(130)]
    backtest_report = backtest.build_backtest_report(
        still, lambda done, of: told.append((done, of))
    )
    assert told[-1] == (70, 70)
    for horizon in backtest_report["horizons"].values():
        assert horizon["methods"]["persistence"]["brier"] == 0
        assert horizon["methods"][backtest.OURS]["skill"]["persistence"]["skill"] is None
    assert backtest_report["regimes"] == dict.fromkeys(REGIMES, 0) | {"STRESSED": 130}
    assert regime_index(50) == 2


def test_a_swing_is_the_root_mean_square_of_six_changes() -> None:
    values = dict(zip(ends(7), [Decimal(100 if at % 2 else 110) for at in range(7)], strict=True))
    up, down = Decimal(10), Decimal(100) / 11
    made = monthly_swing_percent([values])
    assert list(made) == [ends(7)[-1]]
    assert made[ends(7)[-1]] == pytest.approx(((up**2 + down**2) / 2).sqrt(), abs=Decimal("1e-6"))
    assert monthly_swing_points([values])[ends(7)[-1]] == 10


def test_a_month_that_is_missing_leaves_no_swing() -> None:
    days = [day for at, day in enumerate(ends(9)) if at != 4]
    assert not monthly_swing_percent([{day: Decimal(100) for day in days}])


def test_days_of_a_month_are_one_mean() -> None:
    values = {date(2026, 1, 5): Decimal(10), date(2026, 1, 20): Decimal(20)}
    assert monthly_mean([values]) == {date(2026, 1, 20): Decimal(15)}
