"""GET /v1/intelligence/energy-transition."""

from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import energy_transition, trend_statistics
from apps.insight.intelligence.rules import energy_transition_pace
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.worlds import world, yearly

SHARE, FOSSIL = energy_transition.SHARE, energy_transition.FOSSIL


def power(pace: float = 1.0, fossil: float = -0.5) -> dict[str, Any]:
    told = {
        name: yearly(2014, [400 - 5 * n for n in range(12)]) for name in energy_transition.WEIGHTS
    }
    rise = yearly(2014, [30 + pace * n for n in range(12)])
    return told | {SHARE: rise, FOSSIL: yearly(2014, [60 + fossil * n for n in range(12)])}


def made(told: dict[str, Any]) -> Any:
    return energy_transition.compute_energy_transition(world(told))


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "energy-transition")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert body["renewableSharePct"] == 33.76
    assert body["gridCarbonIntensity"] == {
        "us": 384.4, "eu": 209.89671, "global": 458.29, "unit": "g CO2 for a kWh",
    }  # fmt: skip
    assert (body["fossilDemandCurve"], body["signal"]) == ("DECLINING", "OFF_TRACK")


def test_a_trend_is_the_slope_of_ten_years_by_least_squares() -> None:
    values = {2010 + n: Decimal(str(v)) for n, v in enumerate([9, 1, 2, 4, 3, 7, 6, 9, 8, 12, 11])}
    years = sorted(values)[-10:]
    fitted = np.polyfit(years, [float(values[year]) for year in years], 1)[0]
    assert float(trend_statistics.yearly_slope(values, 10) or 0) == pytest.approx(float(fitted))


def test_four_years_have_no_trend() -> None:
    told = power()
    told[SHARE] = yearly(2022, [30, 31, 32, 33])
    body = made(told).body
    assert (body["renewable_trend"], body["signal"]) == ("UNKNOWN", "UNKNOWN")
    assert body["pace_of_goal"] is None


def test_the_pace_is_held_against_what_the_goal_still_needs() -> None:
    # 41 per cent in 2025, 59 wanted in 2030: 3.6 a year
    assert made(power(pace=1)).body["pace_of_goal"] == Decimal("0.2778")
    assert energy_transition_pace.pace_towards_goal(Decimal(60), Decimal(0), 2025) == 1
    assert energy_transition_pace.pace_towards_goal(Decimal(50), Decimal(1), 2035) == Decimal(
        "0.1111"
    )


def test_faster_is_never_a_worse_signal() -> None:
    order = energy_transition_pace.SIGNAL_WORDS.index
    found = [order(made(power(pace=p / 10)).body["signal"]) for p in range(-5, 30)]
    assert found == sorted(found) and found[0] < found[-1]


@pytest.mark.parametrize(
    ("slope", "word"), [(-0.5, "DECLINING"), (0.0, "PLATEAU"), (0.5, "RISING")]
)
def test_the_curve_of_fossil_demand_is_named_by_its_slope(slope: float, word: str) -> None:
    assert made(power(fossil=slope)).body["fossil_demand_curve"] == word


def test_without_the_renewable_share_there_is_no_answer() -> None:
    with pytest.raises(TooFewInputs):
        made({name: days for name, days in power().items() if name != SHARE})


def test_a_grid_that_is_not_known_is_null_and_lowers_the_coverage() -> None:
    found = made({name: days for name, days in power().items() if name != "energy.carbon.eu"})
    assert found.body["grid_carbon_intensity"]["eu"] is None
    assert found.quality.coverage == Decimal("0.9")
