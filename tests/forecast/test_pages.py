"""Pages for people: eleven markets at a glance, and a page for each."""

from typing import Any

import pytest
from django.test import Client

from apps.insight.forecast.rules.markets import MARKETS
from apps.insight.forecast.rules.scenarios import SCENARIOS
from tests.conftest import NOON
from tests.forecast.conftest import load_noon

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _noon(monkeypatch: Any) -> None:
    monkeypatch.setattr("apps.insight.forecast.views.clock.now", lambda: NOON)


@pytest.fixture
def told() -> None:
    """The run of noon, kept."""
    load_noon()


def look(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_first_page_shows_all_markets_regions_months_and_scenarios(
    told: None, client: Client
) -> None:
    html = look(client, "/forecast/")
    for market in MARKETS:
        assert f'href="/forecast/market/{market.symbol.lower()}"' in html
    assert html.count('<svg class="bar"') == 11
    assert all(scenario.title in html for scenario in SCENARIOS)
    assert html.count("<details>") == 1 and "23 more regions" in html
    assert '<tr class="now"><th scope="row">November' in html
    assert "ESTIMATED" in html and "too few" in html


@pytest.mark.parametrize("symbol", [market.symbol for market in MARKETS])
def test_a_page_says_why_a_market_has_its_light(told: None, client: Client, symbol: str) -> None:
    html = look(client, f"/forecast/market/{symbol.lower()}")
    assert f"The climate risk of {symbol} is " in html
    assert "Monthly price, to May 2026" in html
    assert "No outlook has been scored yet. 1 issued" in html


def test_where_nothing_is_known_pages_say_so(client: Client) -> None:
    assert "No data" in look(client, "/forecast/")
    html = look(client, "/forecast/market/coffee")
    assert "No outlook: There is no current price of Coffee" in html


def test_an_unknown_market_has_no_page(client: Client) -> None:
    assert client.get("/forecast/market/gold").status_code == 404


def test_no_page_has_a_script_or_a_style_of_its_own(told: None, client: Client) -> None:
    for path in ("/forecast/", "/forecast/market/wti"):
        html = look(client, path)
        assert "<script" not in html and "style=" not in html
        assert "http://" not in html and "https://" not in html


def test_pages_read_in_few_queries(
    told: None, client: Client, django_assert_max_num_queries: Any
) -> None:
    look(client, "/forecast/")
    with django_assert_max_num_queries(5):
        look(client, "/forecast/market/wti")
