"""Pages of the commodity forecasts: clean in light, dark and on a phone, by keyboard, on paper."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from apps.insight.forecast.rules.markets import SYMBOLS
from apps.insight.forecast.services import hourly_run
from tests import sampling
from tests.browser.page_checks import PHONE, appears
from tests.browser.test_every_page import in_every_look, walk
from tests.browser.test_product_pages import HIDDEN
from tests.conftest import NOON

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
ADDRESSES = ("/forecast/", *(f"/forecast/market/{symbol.lower()}" for symbol in SYMBOLS))
PAPER = {"width": 718, "height": 1046}  # of A4 between margins of 1 cm, at 96 pixels an inch
CUT = """[...document.querySelectorAll("main *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.checkVisibility() && box.width && box.right > window.innerWidth + 1;
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.fixture(autouse=True)
def _noon(monkeypatch: Any) -> None:
    monkeypatch.setattr("apps.insight.forecast.views.clock.now", lambda: NOON)
    cache.clear()
    hourly_run.forget_runs()
    sampling.load(now=NOON)
    hourly_run.record_run(hourly_run.compute_run(now=NOON), now=NOON)


def test_every_page_is_clean_and_has_nothing_out_of_sight_on_a_phone(
    opened: Callable[..., Any], live_server: Any
) -> None:
    page = opened()
    faults = list(walk(page, live_server.url, in_every_look(ADDRESSES)))
    page.set_viewport_size(PHONE)
    for address in ADDRESSES:
        page.goto(address)
        faults += [f"{address}: {one} is out of sight" for one in page.evaluate(HIDDEN)]
    assert not faults, "\n".join(faults)


def test_a_keyboard_reaches_every_market_and_opens_the_other_regions(
    opened: Callable[..., Any], live_server: Any
) -> None:
    page = opened()
    page.goto("/forecast/")
    seen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.getAttribute('href')"))
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    assert [one for one in seen if one and "/market/" in one] == list(ADDRESSES[1:])
    page.keyboard.press("Enter")
    assert page.locator("details[open]").count() == 1
    page.locator('.heat a[href$="/wheat"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/forecast/market/wheat")


def test_on_paper_nothing_is_cut_off_and_all_regions_are_there(
    opened: Callable[..., Any], live_server: Any
) -> None:
    page = opened(size=PAPER)
    page.emulate_media(media="print")
    faults = []
    for address in ADDRESSES:
        page.goto(address)
        faults += [f"{address}: {one} is cut off" for one in page.evaluate(CUT)]
    assert not faults, "\n".join(faults)
    page.goto("/forecast/")
    assert appears(page.get_by_role("row", name="Siberia, Russia"))
