"""GET /v1/intelligence/earth-systems: health of the earth, nine tipping elements."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import earth_systems
from apps.insight.intelligence.rules import tipping_elements
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.worlds import world


def monthly(first: int, last: int, value: Any) -> dict[date, Any]:
    return {date(y, m, 28): value(y) for y in range(first, last + 1) for m in range(1, 13)}


def earth(warmth: float = 1.0, co2: float = 420, heat: float = 1.0) -> dict[str, Any]:
    """A world whose months of 1850 to 1900 are 0.2 degrees below its own reference."""
    past = monthly(1850, 1900, lambda _: -0.2)
    return {
        "heat.anomaly.noaa": past | monthly(2010, 2025, lambda _: warmth),
        "heat.anomaly": monthly(1979, 2024, lambda y: 0.01 * (y - 1979))
        | {date(2025, 1, 31): heat},
        "air.co2": monthly(1979, 2024, lambda y: 330 + y - 1979) | {date(2025, 1, 31): co2},
        "ice.north.year": monthly(1979, 2025, lambda y: 12 - 0.02 * (y - 1979)),
        "sea.enso": monthly(1979, 2025, lambda y: y % 3 - 1),
    }


def made(**told: float) -> Any:
    return earth_systems.compute_earth_systems(world(earth(**told)))


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "earth-systems")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert len(body["tippingPoints"]) == 9
    assert body["atmosphere"]["co2"]["currentPpm"] == 429.12
    # NOAA's months to July 2026 over its own of 1850 to 1900
    assert body["atmosphere"]["temperature"]["currentAnomalyC"] == 1.3
    assert body["atmosphere"]["temperature"]["distanceToParisC"] == 0.2
    health = body["sustainability"]["earthHealthIndex"]
    assert answer["X-SVC-Earth-Health-Index"] == str(health)
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(health))
    assert len(body["planetaryBoundaries"]["crossed"]) == 7


def test_warming_is_counted_from_1850_to_1900() -> None:
    air = made(warmth=1.0).body["atmosphere"]["temperature"]
    assert air["current_anomaly_c"] == air["decade_anomaly_c"] == Decimal("1.2")
    assert air["distance_to_paris_c"] == Decimal("0.3")


@pytest.mark.parametrize(
    ("warmth", "band"),
    [("1.39", "BELOW_MINIMUM"), ("1.4", "MINIMUM_TO_CENTRAL"), ("3.99", "MINIMUM_TO_CENTRAL"),
     ("4", "ABOVE_CENTRAL")],
)  # fmt: skip
def test_a_threshold_belongs_to_the_band_above_it(warmth: str, band: str) -> None:
    overturning = next(
        element for element in tipping_elements.ELEMENTS if "overturning" in element.name
    )
    assert overturning.band(Decimal(warmth)) == band


def test_elements_have_the_published_thresholds_and_no_probability() -> None:
    assert len(tipping_elements.ELEMENTS) == 9
    assert all(
        element.least < element.central < element.most for element in tipping_elements.ELEMENTS
    )
    tipping_points = made().body["tipping_points"]
    assert not any("probab" in name for tipping_point in tipping_points for name in tipping_point)


def test_a_warmer_decade_is_never_less_near() -> None:
    order = tipping_elements.ALERTS.index
    for least, most in zip(range(0, 90, 5), range(5, 95, 5), strict=True):
        one, other = (made(warmth=w / 10).body["tipping_points"] for w in (least, most))
        for cool, hot in zip(one, other, strict=True):
            assert order(cool["proximity_risk"]) <= order(hot["proximity_risk"])


def test_more_carbon_or_heat_is_never_more_health() -> None:
    for name, values in (("co2", range(320, 440, 10)), ("heat", (0, 0.2, 0.4, 0.9))):
        earth_health_indexes = [
            made(**{name: v}).body["sustainability"]["earth_health_index"] for v in values
        ]
        assert (
            earth_health_indexes == sorted(earth_health_indexes, reverse=True)
            and earth_health_indexes[0] > earth_health_indexes[-1]
        )


def test_contributions_sum_to_the_health_exactly() -> None:
    for co2 in range(320, 440, 7):
        body = made(co2=co2).body
        summed = sum(component["contribution"] for component in body["components"])
        assert summed == body["sustainability"]["earth_health_index"]


def test_the_index_does_not_see_what_was_before_its_window() -> None:
    told = earth()
    older = told | {"heat.anomaly": told["heat.anomaly"] | monthly(1880, 1978, lambda _: -5)}
    one, other = (
        earth_systems.compute_earth_systems(world(t)).body["sustainability"] for t in (told, older)
    )
    assert one == other


def test_without_the_months_before_1900_there_is_no_answer() -> None:
    told = earth()
    told["heat.anomaly.noaa"] = {
        d: v for d, v in told["heat.anomaly.noaa"].items() if d.year > 1852
    }
    with pytest.raises(TooFewInputs):
        earth_systems.compute_earth_systems(world(told))


def test_an_input_of_the_index_that_is_missing_lowers_the_coverage() -> None:
    told = earth()
    del told["sea.enso"]
    method_result = earth_systems.compute_earth_systems(world(told))
    assert method_result.quality.missing == ("sea.enso",)
    assert method_result.quality.coverage < 1
