"""water-risk, biodiversity, gender-risk: series held against published marks."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.rules.farming_zones import ZONES
from apps.insight.intelligence.rules.gauges import Gauge, build_gauge
from apps.insight.intelligence.rules.sustainability_gauges import (
    BIODIVERSITY,
    DROUGHTS,
    GENDER,
    RAIN_WEIGHT,
    WITHDRAWALS,
)
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.test_climate import WET
from tests.intelligence.worlds import world, yearly

WATER = (*WITHDRAWALS, *DROUGHTS)
TABLES = {"water-risk": WATER, "biodiversity": BIODIVERSITY, "gender-risk": GENDER}
HEADS = {
    "water-risk": "water_risk_score",
    "biodiversity": "biodiversity_risk_score",
    "gender-risk": "gender_risk_score",
}
each = pytest.mark.parametrize("name", TABLES)


def between(one: Gauge, share: str) -> Decimal:
    """Return the value of a gauge that stands so far from calm to worst."""
    return one.calm + (one.worst - one.calm) * Decimal(share)


def told(name: str, share: str = "0.5", **more: str) -> dict[str, Any]:
    found = {
        one.series: {date(2025, 12, 31): str(between(one, more.get(one.series, share)))}
        for one in TABLES[name]
    }
    rain = {one: yearly(1961, values, 7) for one, values in WET.items()}
    return found | (rain if name == "water-risk" else {})


def made(name: str, series: dict[str, Any]) -> Any:
    product = product_of(name)
    assert product is not None
    return product.compute(world(series))


@each
@pytest.mark.django_db
def test_it_answers_with_what_it_is_made_of(buyer: APIClient, name: str) -> None:
    answer = ask(buyer, name)
    assert answer.status_code == 200, answer.content
    body = answer.json()
    head = next(one for one in body if one.endswith("RiskScore"))
    summed = sum(Decimal(str(component["contribution"])) for component in body["components"])
    assert summed == Decimal(str(body[head]))
    assert all({"value", "signal", "source"} <= set(component) for component in body["components"])
    assert body["dataQuality"] == "ESTIMATED" and body["sources"]


@each
def test_weights_of_a_table_sum_to_one(name: str) -> None:
    rain = RAIN_WEIGHT * len(ZONES) if name == "water-risk" else Decimal(0)
    assert sum(one.weight for one in TABLES[name]) + rain == 1


@each
def test_a_worse_value_is_never_less_risk(name: str) -> None:
    for one in TABLES[name]:
        scores = [
            made(name, told(name, **{one.series: str(Decimal(n) / 10)})).body[HEADS[name]]
            for n in range(-2, 13, 2)
        ]
        assert scores == sorted(scores) and scores[0] < scores[-1], one.series


@each
def test_the_order_in_which_series_come_changes_nothing(name: str) -> None:
    series = told(name)
    assert made(name, series) == made(name, dict(reversed(series.items())))


@each
def test_what_is_missing_is_neither_calm_nor_worst(name: str) -> None:
    first = TABLES[name][0].series
    calm, worst = (told(name, share) for share in ("0", "1"))
    for series in (calm, worst):
        del series[first]
    found = [made(name, series) for series in (calm, worst)]
    assert all(one.quality.missing == (first,) and one.quality.coverage < 1 for one in found)
    shown = next(
        component for component in found[0].body["components"] if component["series"] == first
    )
    assert shown["value"] is None and "contribution" not in shown
    if name != "water-risk":  # there rain is neither
        assert [one.body[HEADS[name]] for one in found] == [0, 100]


@each
def test_under_sixty_hundredths_of_the_weight_there_is_no_answer(name: str) -> None:
    series = told(name)
    for one in sorted(TABLES[name], key=lambda one: -one.weight)[:5]:
        series.pop(one.series)
    if name == "water-risk":
        series = {k: v for k, v in series.items() if k != "rain.usa"}
    with pytest.raises(TooFewInputs):
        made(name, series)


def test_a_gauge_stays_within_its_marks_either_way_round() -> None:
    up, down = build_gauge("x", "1", "25", "100", "why"), build_gauge("x", "1", "30", "0", "why")
    assert [up.strain(Decimal(v)) for v in (0, 25, 100, 300)] == [0, 0, 100, 100]
    assert [down.strain(Decimal(v)) for v in (40, 30, 15, 0)] == [0, 0, 50, 100]


def test_every_gauge_says_why_its_marks_are_so() -> None:
    for table in TABLES.values():
        assert all(len(one.why) > 10 and one.calm != one.worst for one in table)
