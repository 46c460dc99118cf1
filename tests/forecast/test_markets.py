"""Heat check, markets, regions and calendar, as clients see them."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.forecast.rules.lights_and_outlooks import RISK_LIGHTS
from apps.insight.forecast.rules.markets import SYMBOLS
from tests.conftest import NOON
from tests.forecast.conftest import get

pytestmark = pytest.mark.django_db


def total(rows: list[dict[str, Any]]) -> Decimal:
    return sum((Decimal(str(row["contribution"])) for row in rows), Decimal(0))


def test_the_heat_check_has_a_light_and_a_line_for_each_of_eleven(anybody: APIClient) -> None:
    body = get(anybody, "heat-check").json()
    assert tuple(commodity["symbol"] for commodity in body["commodities"]) == SYMBOLS
    assert all(
        "\n" not in commodity["signal"] and commodity["signal"] for commodity in body["commodities"]
    )
    assert body["asOf"] == "2026-11-20T12:00:00.000Z"
    assert body["dataQuality"] == "ESTIMATED"


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_what_a_market_is_made_of_sums_to_its_score(anybody: APIClient, symbol: str) -> None:
    body = get(anybody, f"commodity/{symbol}").json()
    score = Decimal(str(body["climateRiskScore"]))
    assert total(body["contributions"]) == score
    assert sum(contribution["weight"] for contribution in body["contributions"]) == pytest.approx(
        1, abs=0.001
    )
    light = next(risk_light.name for risk_light in RISK_LIGHTS if score >= risk_light.least)
    assert body["status"] == light
    assert body["dataQuality"] == "ESTIMATED" and "sample" in body["reasons"]
    assert body["reasoning"].startswith(f"The climate risk of {symbol} is ")
    production_regions = [
        production_region
        for production_region in body["productionRegions"]
        if production_region["contribution"]
    ]
    by_region = total(body["productionRegions"]) + total(
        [contribution for contribution in body["contributions"] if not contribution["region"]]
    )
    assert production_regions and by_region == score


def test_heat_check_and_markets_agree(anybody: APIClient) -> None:
    for commodity in get(anybody, "heat-check").json()["commodities"]:
        body = get(anybody, f"commodity/{commodity['symbol']}").json()
        assert (body["status"], body["signal"]) == (commodity["status"], commodity["signal"])


def test_a_symbol_may_be_written_small(anybody: APIClient) -> None:
    assert get(anybody, "commodity/wheat").json()["symbol"] == "WHEAT"


@pytest.mark.parametrize(
    ("symbol", "status", "code"),
    [
        ("ZZZZ", 404, "unsupported_symbol"),
        ("GOLD", 404, "unsupported_symbol"),
        ("W!-9", 400, "invalid_request"),
        ("W", 400, "invalid_request"),
        ("ELEVENCHARS", 400, "invalid_request"),
    ],
)
def test_a_symbol_of_another_form_is_400_and_one_that_is_none_404(
    unknown: APIClient, symbol: str, status: int, code: str
) -> None:
    answer = get(unknown, f"commodity/{symbol}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert " " in answer.json()["message"]


@pytest.mark.parametrize("path", ["heat-check", "commodity/WHEAT", "regions"])
def test_where_too_little_is_known_there_is_no_number(unknown: APIClient, path: str) -> None:
    answer = get(unknown, path)
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert answer.json()["code"] == "no_data" and " " in answer.json()["message"]


def test_regions_are_ranked_and_each_is_made_of_its_parts(anybody: APIClient) -> None:
    rows = get(anybody, "regions").json()
    scores = [row["climateRiskScore"] for row in rows]
    assert scores == sorted(scores, reverse=True) and len(rows) == 35
    for row in rows:
        assert total(row["contributions"]) == Decimal(str(row["climateRiskScore"]))
        assert row["commodities"]


def test_the_calendar_has_twelve_months_and_needs_no_figure(unknown: APIClient) -> None:
    rows = get(unknown, "calendar").json()
    assert [row["month"] for row in rows] == list(range(1, 13))
    august = rows[7]
    assert "Katrina and Rita (2005)" in august["disasters"]
    assert august["historicalSeverity"] == "HIGH"
    assert {"CORN", "SOYB", "WTI"} <= set(august["commoditiesAtRisk"])
    assert any("Corn Belt" in event for event in august["events"])


def test_an_hour_is_computed_once(
    anybody: APIClient, at: Any, monkeypatch: Any, django_assert_max_num_queries: Any
) -> None:
    first = get(anybody, "heat-check").json()
    monkeypatch.setattr(
        "apps.insight.forecast.services.hourly_run.compute_run", lambda **_: pytest.fail("again")
    )
    at(NOON + timedelta(minutes=59))
    with django_assert_max_num_queries(6):
        assert get(anybody, "heat-check").json() == first
    assert get(anybody, "heat-check").json() == first
