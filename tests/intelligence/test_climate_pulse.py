"""GET /v1/intelligence/climate-pulse: heat and drought of eight regions."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import climate_pulse
from apps.insight.intelligence.rules.sustainability_gauges import DROUGHTS
from apps.insight.intelligence.rules.us_regions import REGIONS
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.worlds import world

SEPTEMBER = date(2026, 9, 30)


def months(newest: float) -> dict[date, float]:
    """Septembers of 60 to 63 degrees F, hot Augusts beside them, and the newest September."""
    past = {date(year, 9, 30): 60.0 + year % 4 for year in range(1991, 2026)}
    return past | {date(year, 8, 31): 90.0 for year in range(1991, 2026)} | {SEPTEMBER: newest}


def land(heat: float = 61.5, drought: float = 50.0) -> dict[str, Any]:
    heats = {series: months(heat) for region in REGIONS for series in region.heat}
    return heats | {region.drought: {date(2026, 11, 10): drought} for region in REGIONS}


def made(told: dict[str, Any]) -> Any:
    return climate_pulse.compute_climate_pulse(world(told))


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "climate-pulse")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    summary = body["summary"]
    assert set(summary) == {
        "overallSignal", "regionsWithHeatAnomaly", "regionsWithDrought", "commoditySignal",
        "laborProductivityImpact",
    }  # fmt: skip
    assert len(body["regions"]) == 8
    assert answer["X-SVC-Climate-Signal"] == summary["overallSignal"]
    assert answer["X-SVC-Heat-Regions"] == str(len(summary["regionsWithHeatAnomaly"]))
    assert answer["X-SVC-Drought-Regions"] == str(len(summary["regionsWithDrought"]))
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body["pulseIndex"]))


def test_an_anomaly_is_over_the_same_month_of_1991_to_2020_in_celsius() -> None:
    region = made(land(heat=70.5)).body["regions"][0]
    # these thirty Septembers have a mean of 61.5 degrees F
    assert region["temp_anomaly"] == Decimal("5.00")
    assert region["heat_signal"] == "EXTREME"


def test_a_hotter_month_or_a_graver_drought_is_never_less_strain() -> None:
    hot = [made(land(heat=degrees)).body["pulse_index"] for degrees in range(55, 70)]
    dry = [made(land(drought=index)).body["pulse_index"] for index in range(0, 500, 25)]
    for scores in (hot, dry):
        assert scores == sorted(scores) and scores[0] < scores[-1]


def test_a_cool_and_wet_country_has_no_strain() -> None:
    found = made(land(heat=50, drought=0))
    assert (found.body["pulse_index"], found.body["summary"]["overall_signal"]) == (0, "CALM")
    assert found.body["summary"]["commodity_signal"] == "CALM"


def test_what_is_missing_is_neither_heat_nor_calm() -> None:
    told = land(heat=50, drought=500)
    whole, less = made(told), made({k: v for k, v in told.items() if k != "heat.us.south"})
    assert less.quality.coverage == Decimal("0.9375")
    assert less.body["pulse_index"] > whole.body["pulse_index"]
    south = next(region for region in less.body["regions"] if region["name"] == "South")
    assert (south["temp_anomaly"], south["heat_signal"]) == (None, "UNKNOWN")
    assert south["signal"] == "EXTREME"


def test_a_region_of_few_years_has_no_normal() -> None:
    told = land()
    told["heat.us.west"] = {d: v for d, v in told["heat.us.west"].items() if d.year > 2001}
    assert made(told).quality.missing == ("heat.us.west",)


def test_without_drought_and_some_heat_there_is_no_answer() -> None:
    told = {k: v for k, v in land().items() if k.startswith("heat.")}
    with pytest.raises(TooFewInputs):
        made(told)


def test_regions_weigh_the_same_and_every_drought_has_its_marks() -> None:
    components = made(land()).body["components"]
    assert sum(component["weight"] for component in components) == pytest.approx(
        1, abs=Decimal("0.001")
    )
    assert {drought.series for drought in DROUGHTS} == {region.drought for region in REGIONS}
