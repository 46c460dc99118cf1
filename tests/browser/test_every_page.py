"""Every page of every role: no error under the strict policy, no WCAG violation, no panning."""

from collections.abc import Callable
from typing import Any

import pytest

from config.roles import ROLES
from tests import desk_table
from tests.browser.sight import DESKTOP, PHONE, Seen, axe, too_wide
from tests.review.people import person

pytestmark = pytest.mark.django_db(transaction=True)
LEFT_OUT = ("password_change/done/", "jsi18n/", "autocomplete/")  # no pages of their own
LIGHT, DARK_PHONE = ("light", DESKTOP), ("dark", PHONE)


@pytest.mark.parametrize("group", ROLES)
def test_every_page_of_a_role_is_clean_in_light_in_dark_and_on_a_phone(
    opened: Callable[..., Any], live_server: Any, group: str
) -> None:
    things = desk_table.make_things()
    page = opened(person("somebody", group))
    seen, faults = Seen(page, live_server.url), []
    for address in pages(things, group):
        for scheme, size in (LIGHT, DARK_PHONE):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(size)
            page.goto(address)
            found = [*seen.faults, *axe(page)]
            seen.faults.clear()
            if (wide := too_wide(page)) > 0:
                found.append(f"{wide} pixels too wide")
            faults += [f"{address} {scheme}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def test_pages_that_a_superuser_alone_can_open_have_no_error(
    opened: Callable[..., Any], live_server: Any
) -> None:
    things = desk_table.make_things()
    page = opened(person("root", superuser=True))
    seen = Seen(page, live_server.url)
    gets = [row for row in desk_table.TABLE if row.method == "get" and not row.who]
    alone = [row for row in gets if row.route not in LEFT_OUT]
    for row in alone:
        model, _, rest = row.route.partition("/")[2].partition("/")
        if rest in ("", "add/") and (rest == "" or model in ("user", "group")):
            page.goto(row.address(things))
            assert seen.faults == [], row.route


def pages(things: dict[str, Any], group: str) -> list[str]:
    """Return the addresses of the pages that a group may read."""
    rows = [row for row in desk_table.TABLE if row.method == "get" and group in row.who]
    leads = [row for row in rows if not row.route.endswith("<path:object_id>/")]
    return [row.address(things) for row in leads if row.route not in LEFT_OUT]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_sign_in_page_is_clean_and_signs_in(
    opened: Callable[..., Any], live_server: Any, dark: bool
) -> None:
    user = person("olivia", desk_table.OFFICER)
    user.set_password("correct horse battery")
    user.save()
    page = opened(dark=dark, size=PHONE)
    seen = Seen(page, live_server.url)
    page.goto("/admin/")
    assert axe(page) == [] and too_wide(page) <= 0
    page.get_by_label("Username").fill("olivia")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/")
    assert page.get_by_role("button", name="Sign out").is_visible()
    assert seen.faults == []
