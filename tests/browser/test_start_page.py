"""The start page: what it is to each kind of user, and the way in, on one screen."""

from collections.abc import Callable
from typing import Any

import pytest

from config.services import SERVICES
from tests.browser.page_checks import DESKTOP, PHONE, Seen, above, appears, axe, too_wide

pytestmark = pytest.mark.django_db(transaction=True)
WAYS_IN = (
    ("Screen a party", "/compliance/docs"),
    ("Send payments", "/integration/docs"),
    ("For agents", "/llms.txt"),
    ("Sign in to the desk", "/admin/"),
    ("How often forecasts were right", "/intelligence/ledger"),
    ("Public keys", "/.well-known/jwks.json"),
    ("Health", "/compliance/health"),
)


def test_all_of_it_is_on_one_screen(opened: Callable[..., Any]) -> None:
    page = opened()
    page.goto("/")
    assert page.locator(".who > li").count() == 4
    assert above(page, ".who > li:last-child") < DESKTOP["height"]
    assert page.evaluate("document.documentElement.scrollHeight") <= DESKTOP["height"]


@pytest.mark.parametrize(("dark", "size"), [(False, DESKTOP), (True, PHONE)])
def test_it_is_clean_in_light_in_dark_and_on_a_phone(
    opened: Callable[..., Any], live_server: Any, dark: bool, size: Any
) -> None:
    page = opened(dark=dark, size=size)
    seen = Seen(page, live_server.url)
    page.goto("/")
    assert [*axe(page), *seen.faults] == []
    assert too_wide(page) <= 0


def test_every_way_in_leads_somewhere(opened: Callable[..., Any]) -> None:
    page = opened()
    page.goto("/")
    for name, path in WAYS_IN:
        assert page.get_by_role("link", name=name, exact=True).get_attribute("href") == path
    paths = {one.get_attribute("href") for one in page.locator("main a").all()}
    assert len(paths) >= len(WAYS_IN) + 3 * len(SERVICES) - 4
    for path in sorted(paths):
        # health is there also where it says that lists are missing, as they are here
        there = (200, 503) if path.endswith("/health") else (200,)
        assert page.request.get(path, max_redirects=2).status in there, path


def test_a_service_tells_what_it_is_by_the_keyboard(opened: Callable[..., Any]) -> None:
    page = opened()
    page.goto("/")
    by_text = page.get_by_text(SERVICES["settlement"].about)
    assert not by_text.is_visible()
    page.locator("summary", has_text="Settlement Agent").focus()
    page.keyboard.press("Enter")
    assert appears(by_text)
