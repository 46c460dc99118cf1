"""GET /v1/intelligence/climate: shift of rain in ten farming zones."""

import random
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import climate, trend_statistics
from apps.insight.intelligence.rules import farming_zones
from apps.insight.intelligence.rules.farming_zones import ZONES
from apps.reference.signals.means import decimal_mean
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.worlds import world, yearly

RAIN = random.Random(7)
YEARS = range(1961, 2024)
WET = {zone.series: [RAIN.uniform(700, 900) for _ in YEARS] for zone in ZONES}


def made(rain: dict[str, list[float]]) -> Any:
    return climate.compute_climate(
        world({one: yearly(1961, values, 7) for one, values in rain.items()})
    )


def changed(series: str, year: int, value: float) -> dict[str, list[float]]:
    return WET | {
        series: [value if y == year else v for y, v in zip(YEARS, WET[series], strict=True)]
    }


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "climate")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert set(body["summary"]) == {
        "globalFoodSystemRisk", "regionsAtRisk", "criticalCommodities", "cascadeSignals",
    }  # fmt: skip
    assert set(body["transmission"]) == {"foodInflationPressure", "migrationPressure"}
    assert len(body["regions"]) == 10
    assert answer["X-SVC-Climate-Score"] == str(body["climateScore"])
    assert body["dataQuality"] == "ESTIMATED"
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body["climateScore"]))


def test_a_shift_is_that_of_the_means_of_three_years() -> None:
    rain = [800.0] * len(YEARS)
    for year, value in ((1972, 1000), (1973, 900), (1974, 1100), (2021, 700), (2022, 800)):
        rain[year - 1961] = value
    (one,) = [r for r in made(WET | {"rain.usa": rain}).body["regions"] if "United" in r["name"]]
    assert one["precipitation_shift_pct"] == Decimal("-23.33")
    assert one["classification"] == "SEVERE_DRYING"


def test_the_error_of_a_shift_is_how_far_simulated_shifts_scatter() -> None:
    dice = np.random.default_rng(5)
    before, after = dice.normal(800, 90, 30), dice.normal(720, 90, 30)
    told = [[Decimal(str(v)) for v in one] for one in (before, after)]
    error = float(trend_statistics.shift_error_pct(*told))
    scale = [np.std(one, ddof=1) for one in (before, after)]
    early = dice.normal(before.mean(), scale[0], (20000, 30)).mean(axis=1)
    late = dice.normal(after.mean(), scale[1], (20000, 30)).mean(axis=1)
    assert error == pytest.approx(float(np.std(100 * (late / early - 1))), rel=0.03)


def test_the_error_of_three_years_is_that_of_the_scatter_of_sixty() -> None:
    dice = np.random.default_rng(6)
    early, late = ([Decimal(str(mean))] * 3 for mean in (800, 640))
    error = float(trend_statistics.scatter_error_pct(early, late, Decimal(90 * 90)))
    runs = [dice.normal(mean, 90, (40000, 3)).mean(axis=1) for mean in (800, 640)]
    assert error == pytest.approx(float(np.std(100 * (runs[1] / runs[0] - 1))), rel=0.05)
    same = [800.0, 900.0] * 40
    region = made(dict.fromkeys(WET, same[: len(YEARS)])).body["regions"][0]
    assert 4 < region["precipitation_shift_error_pct"] < 6


def test_of_equal_normals_no_shift_is_beyond_chance() -> None:
    same = [800.0, 900.0] * 40
    shift = made(dict.fromkeys(WET, same[: len(YEARS)])).body["regions"][0]
    assert abs(shift["normal_shift_pct"]) < 1
    assert shift["beyond_chance"] is False


def test_less_rain_in_the_last_years_is_never_less_strain() -> None:
    scores = [
        made(changed("rain.ind", 2023, mm)).body["climate_score"] for mm in range(1500, 100, -100)
    ]
    assert scores == sorted(scores) and scores[0] < scores[-1]


def test_the_order_in_which_series_come_changes_nothing() -> None:
    turned = dict(reversed(WET.items()))
    assert made(WET) == made(turned)


def test_a_zone_that_is_missing_lowers_the_coverage_and_counts_as_nothing() -> None:
    whole = made(WET)
    less = made({name: rain for name, rain in WET.items() if name != "rain.ukr"})
    assert (whole.quality.coverage, less.quality.coverage) == (1, Decimal("0.9"))
    assert less.quality.missing == ("rain.ukr",)
    zone = next(region for region in less.body["regions"] if "Ukraine" in region["name"])
    assert (zone["precipitation_shift_pct"], zone["classification"]) == (None, "UNKNOWN")
    scores = [c["score"] for c in whole.body["components"] if c["series"] != "rain.ukr"]
    assert less.body["climate_score"] == pytest.approx(decimal_mean(scores), abs=Decimal("0.001"))


def test_a_zone_without_one_of_the_six_years_has_no_shift() -> None:
    days = {one: yearly(1961, values, 7) for one, values in WET.items()}
    del days["rain.chn"][next(day for day in days["rain.chn"] if day.year == 1973)]
    method_result = climate.compute_climate(world(days))
    assert "rain.chn" in method_result.quality.missing


def test_with_fewer_than_six_zones_there_is_no_answer() -> None:
    with pytest.raises(TooFewInputs):
        made({name: WET[name] for name in list(WET)[:5]})


def test_crops_of_several_dry_zones_are_critical() -> None:
    named = {zone.series: zone for zone in ZONES}
    assert farming_zones.list_critical_crops([named["rain.civ"], named["rain.eth"]]) == ["coffee"]
    assert farming_zones.list_possible_cascades([named["rain.civ"], named["rain.eth"]]) == [
        "REGIONAL_SHORTFALL"
    ]
    assert farming_zones.list_possible_cascades([named["rain.civ"]]) == []
