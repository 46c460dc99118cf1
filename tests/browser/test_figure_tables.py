"""Tables of figures are read on a phone without being scrolled: each figure stands by its name."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.access.keys.models import UsageCount
from config.prices import UNITS
from tests import desk_table
from tests.browser.page_checks import DESKTOP, SLIM, Seen, appears, axe, too_wide
from tests.review.people import person

pytestmark = pytest.mark.django_db(transaction=True)
OVER = """[...document.querySelectorAll("table.figures")].map((table) => {
  let more = 0;
  for (let box = table; box; box = box.parentElement) {
    more += Math.max(0, box.scrollWidth - box.clientWidth - 1);
  }
  return more;
})"""
UNNAMED = """[...document.querySelectorAll("table.figures td")].filter((cell) =>
  !cell.dataset.label || getComputedStyle(cell, "::before").content === "none").length"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_figures_are_cards_on_a_phone_and_a_table_on_a_desk(
    opened: Callable[..., Any], live_server: Any, dark: bool
) -> None:
    things = desk_table.make_things()
    account = things["access/account"]
    for number, unit in enumerate(UNITS):
        UsageCount.objects.create(
            account_id=account, month="2026-11", unit=unit, shard=number, calls=12_345_678
        )
    page = opened(person("root", superuser=True), dark=dark, size=SLIM)
    seen = Seen(page, live_server.url)
    for address in (
        f"/admin/access/account/{account}/usage/?month=2026-11",
        "/admin/access/account/usage/?month=2026-11",
        "/admin/review/triage/",
        "/admin/oversight/sample/",
    ):
        page.set_viewport_size(SLIM)
        page.goto(address)
        tables = page.evaluate(OVER)
        assert tables and not any(tables), (address, tables)
        assert page.evaluate(UNNAMED) == 0, address
        assert axe(page) == [] and too_wide(page) <= 0 and seen.faults == [], address
        page.set_viewport_size(DESKTOP)
        assert appears(page.locator("table.figures thead").first), address
