"""Pages of the intelligence products: clean in light, dark and on a phone, nothing out of sight."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache

from apps.insight.intelligence.catalogue import PRODUCTS
from tests import sampling
from tests.browser.page_checks import PHONE
from tests.browser.test_every_page import in_every_look, walk
from tests.conftest import NOON

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
HIDDEN = """[...document.querySelectorAll("main *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return !one.closest("details") && box.width && box.right > window.innerWidth + 1;
}).map((one) => one.outerHTML.slice(0, 80))"""


def test_every_page_of_a_product_is_clean_and_has_nothing_out_of_sight_on_a_phone(
    opened: Callable[..., Any], live_server: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.insight.intelligence.views.clock.now", lambda: NOON)
    cache.clear()
    sampling.load(now=NOON)
    page = opened()
    addresses = ["/intelligence/", *(f"/intelligence/{product.name}" for product in PRODUCTS)]
    faults = list(walk(page, live_server.url, in_every_look(addresses)))
    page.set_viewport_size(PHONE)
    for address in addresses:
        page.goto(address)
        faults += [f"{address}: {one} is out of sight" for one in page.evaluate(HIDDEN)]
    assert not faults, "\n".join(faults)
