"""GET /v1/intelligence/commodity."""

from decimal import Decimal

import pytest
from rest_framework.test import APIClient

from apps.insight.intelligence.methods import commodity
from apps.insight.intelligence.rules.price_breadth import breadth_of_changes
from apps.reference.signals.quality import TooFewInputs
from tests.intelligence.conftest import ask
from tests.intelligence.written_histories import Past, known, past, summed

SIX = {"oil", "naturalGas", "gold", "wheat", "corn", "copper"}


def whole() -> dict[str, Past]:
    names = {series for price in commodity.PRICES.values() for series in (price[0], price[2])}
    return {name: past(range(100, 250)) for name in names}


@pytest.mark.django_db
def test_it_answers_to_the_field(buyer: APIClient) -> None:
    answer = ask(buyer, "commodity")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert set(body["commodities"]) == SIX
    assert all({"value", "signal"} < set(one) for one in body["commodities"].values())
    assert summed(body["contributions"]) == Decimal(str(body["stressIndex"]))
    assert answer["X-SVC-Commodity-Stress"] == str(body["stressIndex"])
    assert answer["X-SVC-Commodity-Regime"] == body["regime"]
    assert body["commodities"]["oil"]["brentPremium"] == 8.45
    assert body["commodities"]["oil"]["changeYearPct"] == 62.4  # 61.0 in May 2025, 99.09 a year on
    assert f"{body['stressIndex']:.1f} of 100" in body["narrative"]


@pytest.mark.django_db
def test_of_real_prices_it_tells_that_inflation_follows_within_months(buyer: APIClient) -> None:
    """Yearly changes of six raw materials and of consumer prices, 1986 to 2026: r = 0.60."""
    inflation_lead = ask(buyer, "commodity").json()["inflationLead"]
    assert (inflation_lead["leadMonths"], inflation_lead["pairs"]) == (1, 479)
    assert inflation_lead["correlation"] == 0.5999


def test_a_month_that_is_missing_is_no_base_of_a_change() -> None:
    held = whole()
    gap = [one for one in held["gold"] if one is not held["gold"][-2]]
    commodity_stress = commodity.compute_commodity_stress(known(held | {"gold": gap}))
    assert commodity_stress.body["commodities"]["gold"]["change_month_pct"] is None
    assert commodity_stress.body["commodities"]["gold"]["change_year_pct"] is not None


def test_dearer_is_never_calmer() -> None:
    found = []
    for last in (90, 150, 240, 300):
        held = whole() | {"copper": past([*range(100, 249), last])}
        found.append(commodity.compute_commodity_stress(known(held)).body["stress_index"])
    assert found == sorted(found) and found[0] < found[-1]


def test_a_price_that_is_missing_is_told_as_missing_and_not_as_cheap() -> None:
    held = whole()
    del held["corn"]
    commodity_stress = commodity.compute_commodity_stress(known(held))
    corn = commodity_stress.body["commodities"]["corn"]
    assert (corn["value"], corn["signal"], corn["soybean_ratio"]) == (None, "UNKNOWN", None)
    assert (
        commodity_stress.body["stress_index"]
        == commodity.compute_commodity_stress(known(whole())).body["stress_index"]
    )
    assert commodity_stress.quality.coverage == Decimal("0.85")


def test_without_oil_there_is_none() -> None:
    held = whole()
    del held["oil.wti.month"]
    with pytest.raises(TooFewInputs, match=r"oil\.wti"):
        commodity.compute_commodity_stress(known(held))


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ([1, 2, 3, 4, -1, -1], "BROAD_RISE"),
        ([1, 2, 3, -1, -1, -1], "MIXED"),
        ([-1, -2, -3, -4, 1, 1], "BROAD_FALL"),
        ([0, 0, 0], "MIXED"),
        ([1, 1, None, None], "UNKNOWN"),
        ([1, 1, 1, None], "BROAD_RISE"),
    ],
)
def test_two_thirds_make_a_broad_move(changes: list[int | None], word: str) -> None:
    assert (
        breadth_of_changes([None if change is None else Decimal(change) for change in changes])
        == word
    )
