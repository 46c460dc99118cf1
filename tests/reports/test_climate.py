"""The climate report: what commodity markets' lights say in it, and what it is without them."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.insight.forecast.models import ForecastRun
from apps.insight.forecast.rules.lights_and_outlooks import LEAST, light_of_score
from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.services import hourly_run
from apps.insight.reports.models import PaidReport
from apps.insight.reports.rules import climate
from apps.insight.reports.rules.findings import evaluate_rules
from tests.reports.buyer import Buyer, report

pytestmark = pytest.mark.django_db
OUTLOOK = "Outlook of commodity markets"


@pytest.fixture(autouse=True)
def _runs_anew() -> Iterator[None]:
    hourly_run.forget_runs()
    yield
    hourly_run.forget_runs()


def market(title: str, status: str, score: float, outlook: str = "STABLE") -> dict[str, Any]:
    return {"title": title, "status": status, "climateRiskScore": score, "outlook": outlook}


def of(*markets: dict[str, Any]) -> dict[str, Any]:
    return {"markets": {"commodities": list(markets)}}


@pytest.mark.parametrize(
    ("status", "level"), [("RED", "HIGH"), ("YELLOW", "ELEVATED"), ("GREEN", None)]
)
def test_a_market_is_a_finding_with_its_score_by_its_light(status: str, level: str | None) -> None:
    rows = [rule for rule in climate.RULES if rule.code.startswith("CLIM-MARKET")]
    rules = evaluate_rules(rows, of(market("Wheat", status, 61.5, "DETERIORATING")))
    assert [one.level for one in rules] == ([level] if level else [])
    for one in rules:
        assert f"Wheat is {status} at 61.5 of 100" in one.sentence
        assert "outlook is deteriorating" in one.sentence and one.advice


def test_bounds_of_lights_are_told_as_they_are() -> None:
    condition_by_code = {rule.code: rule.condition for rule in climate.RULES}
    red, yellow = LEAST["RED"], LEAST["YELLOW"]
    assert f"is {red} or more" in condition_by_code["CLIM-MARKET-RED"]
    assert f"is {yellow} or more, below {red}" in condition_by_code["CLIM-MARKET-YELLOW"]
    [chart] = [one for one in climate.CHARTS if one.mark and "RED" in one.mark[1]]
    assert chart.mark == (red, f"{red}: RED") and light_of_score(red).name == "RED"


def test_the_paragraph_counts_the_lights_and_names_the_highest() -> None:
    market_outlook = climate.describe_market_outlook(
        of(
            market("Wheat", "GREEN", 10),
            market("Coffee", "RED", 70, "DETERIORATING"),
            market("Cocoa", "YELLOW", 40),
            market("Cotton", "YELLOW", 45.25),
        )
    )
    assert market_outlook.startswith("Of 4 commodity markets: 1 RED, 2 YELLOW, 1 GREEN;")
    assert (
        "Coffee 70; Cotton 45.2; Cocoa 40." in market_outlook
        and "1 worsened: Coffee." in market_outlook
    )


def test_the_report_tells_all_markets_and_keeps_the_run_that_they_are_of(alice: Buyer) -> None:
    told = report(alice.buy("climate"))
    rows = told["data"]["markets"]["commodities"]
    assert [row["symbol"] for row in rows] == list(SYMBOLS)
    assert told["synthesis"]["narrative"][OUTLOOK].startswith("Of 11 commodity markets")
    lit = [row["title"] for row in rows if row["status"] != "GREEN"]
    sentences = [
        finding["sentence"] for finding in told["data"]["findings"] if "MARKET" in finding["code"]
    ]
    assert len(sentences) == len(lit) and all(any(one in text for text in sentences) for one in lit)
    markets = PaidReport.objects.get().data["inputs"]["markets"]
    assert ForecastRun.objects.get().slot == markets["slot"]
    assert set(markets["scores"]) == set(SYMBOLS)


def test_without_an_outlook_of_one_market_it_is_sold_without_and_says_so(
    alice: Buyer, monkeypatch: Any
) -> None:
    def fails(self: Any, symbols: Any) -> None:
        raise hourly_run.ForecastUnavailable("There is no price of wheat in age.")

    monkeypatch.setattr(hourly_run.HourlyRun, "need", fails)
    told = report(alice.buy("climate"))
    assert told["data"]["missing"] == [OUTLOOK] and "markets" not in told["data"]
    assert OUTLOOK not in told["synthesis"]["narrative"]
    assert not ForecastRun.objects.exists()
