"""GET /v1/intelligence/macro-stress."""

import csv
import random
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from statistics import correlation, fmean, pstdev
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import macro_stress
from apps.reference.signals import sample_data
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import Past, known

STLFSI = Path(__file__).parents[1] / "signals" / "data" / "stlfsi4.csv"
FRIDAY = date(2026, 11, 13)


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "macro-stress")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert set(body["components"]) == {"igSpread", "hySpread", "vix"}
    assert set(body["leadSignals"]) == {
        "fxImplication", "lookAheadWeeks", "correlation", "pairs",
    }  # fmt: skip
    assert answer["X-SVC-Stress-Index"] == str(body["stressIndex"])
    assert answer["X-SVC-Regime"] == body["regime"]


@pytest.mark.django_db
def test_a_component_without_a_value_says_why_and_what_stands_in(buyer: APIClient) -> None:
    for name, one in ask(buyer, "macro-stress").json()["components"].items():
        assert one["value"] is None and one["proxy"] in one["note"], name
        assert "is used instead" in one["note"], name


def test_a_component_with_a_value_needs_no_note() -> None:
    held = {part.series: weeks([1.0] * 700) for part in macro_stress.MACRO_STRESS.parts}
    shown = {"us.credit.spread": weeks([0.0] * 700), "us.vix": weeks([0.0] * 700)}
    components = macro_stress.compute_macro_stress(known(held | shown)).body["components"]
    assert {name: (one["value"], one["note"]) for name, one in components.items()} == {
        "ig_spread": (Decimal(100), ""),
        "hy_spread": (None, components["hy_spread"]["note"]),
        "vix": (Decimal(100), ""),
    }
    assert "high-yield" in components["hy_spread"]["note"]


@pytest.mark.django_db
def test_contributions_sum_to_the_index(buyer: APIClient) -> None:
    body: dict[str, Any] = ask(buyer, "macro-stress").json()
    summed = sum(
        Decimal(str(contribution["contribution"])) for contribution in body["contributions"]
    )
    assert summed == Decimal(str(body["stressIndex"]))


@pytest.mark.django_db
def test_of_months_of_the_dollar_no_weeks_are_told(buyer: APIClient) -> None:
    lead_signals = ask(buyer, "macro-stress").json()["leadSignals"]
    assert lead_signals == {
        "fxImplication": "UNKNOWN", "lookAheadWeeks": None, "correlation": None, "pairs": 0,
    }  # fmt: skip


def weeks(moves: list[float]) -> Past:
    """Levels of Fridays up to the last one, whose changes these are."""
    level, found = 100.0, []
    for n, move in enumerate(moves):
        level += move
        day = FRIDAY - timedelta(weeks=len(moves) - 1 - n)
        found.append((day, Decimal(str(round(level, 6)))))
    return found


def leading(lag: int, dollar: list[float] | None = None) -> dict[str, Any]:
    """What is told where stress moves as the dollar does so many weeks later."""
    made = random.Random(3)
    moves = [made.gauss(0, 1) for _ in range(1000)]
    later = dollar or [
        made.gauss(0, 0.2) + (moves[n - lag] if n >= lag else 0) for n in range(1000)
    ]
    held = {
        name: weeks(moves) for name in (part.series for part in macro_stress.MACRO_STRESS.parts)
    }
    made_of = known(held | {macro_stress.DOLLAR: weeks(later)})
    lead_signals: dict[str, Any] = macro_stress.compute_macro_stress(made_of).body["lead_signals"]
    return lead_signals


@pytest.mark.parametrize("lag", [0, 3, 26])
def test_the_weeks_are_those_at_which_the_dollar_followed(lag: int) -> None:
    told = leading(lag)
    assert told["look_ahead_weeks"] == lag
    assert told["correlation"] > Decimal("0.3") and told["pairs"] > 400
    assert told["fx_implication"] in ("DOLLAR_BID", "DOLLAR_OFFERED", "NEUTRAL")


def test_a_dollar_that_goes_its_own_way_is_not_told_of() -> None:
    other = random.Random(4)
    told = leading(0, [other.gauss(0, 1) for _ in range(1000)])
    assert (told["fx_implication"], told["look_ahead_weeks"]) == ("UNKNOWN", None)
    assert told["pairs"] > 400


def test_three_inputs_alone_go_with_the_index_of_st_louis() -> None:
    """The mean of standard scores of volatility and of two corporate spreads goes with it at 0.92
    (1,513 weeks of 1997 to 2025). Their publishers let nobody pass them on: here the categories
    of credit, shares and volatility stand for them.
    """
    names = ("ofr.fsi.credit", "ofr.fsi.equity", "ofr.fsi.volatility")
    with (sample_data.FOLDER / "stress.csv").open() as stream:
        ours = {one["day"]: [float(one[name]) for name in names] for one in csv.DictReader(stream)}
    with STLFSI.open() as stream:
        theirs = {one["observation_date"]: float(one["STLFSI4"]) for one in csv.DictReader(stream)}
    days = sorted(ours.keys() & theirs.keys())
    assert len(days) == 85
    columns = list(zip(*(ours[day] for day in days), strict=True))
    core = [
        fmean((value - fmean(one)) / pstdev(one) for value, one in zip(row, columns, strict=True))
        for row in (ours[day] for day in days)
    ]
    assert correlation(core, [theirs[day] for day in days]) >= 0.85
