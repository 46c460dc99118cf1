"""Pages of reports as they are bought: clean in light, dark and on a phone, whole in print."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import pytest

from apps.insight.reports.catalogue import REPORTS
from tests.api.oracles import run_oracles
from tests.browser.page_checks import PHONE
from tests.browser.test_every_page import in_every_look, walk
from tests.browser.test_product_pages import HIDDEN
from tests.reports.buyer import ADDRESS, Buyer
from tests.reports.sample_payments import crowd
from tests.screening.conftest import sample  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
A4 = {"width": 718, "height": 1000}  # between margins of 10 mm, at 96 to the inch


def test_every_report_is_clean_and_has_nothing_out_of_sight_on_a_phone_or_in_print(
    opened: Callable[..., Any],
    live_server: Any,
    sample: Any,  # noqa: F811
) -> None:
    run_oracles()
    crowd(datetime(2026, 10, 5, 9, tzinfo=UTC))
    faults = []
    for row in REPORTS:
        buyer = Buyer(row.name)
        assert buyer.buy(row.name, dict(row.example), HTTP_HOST="testserver").status_code == 200
        page = opened()
        page.set_extra_http_headers(buyer.paid)
        address = f"{ADDRESS}{row.name}?{urlencode(row.example)}".rstrip("?")
        faults += list(walk(page, live_server.url, in_every_look([address])))
        for size, media in ((PHONE, "screen"), (A4, "print")):
            page.set_viewport_size(size)
            page.emulate_media(media=media)
            page.goto(address)
            assert page.locator("main.report").count() == 1
            hidden = page.evaluate(HIDDEN)
            faults += [f"{address} ({media}): {one} is out of sight" for one in hidden]
    assert not faults, "\n".join(faults)
