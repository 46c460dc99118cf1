"""Every page of every role: no error under the strict policy, no WCAG violation, no panning."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from config.desk_roles import ROLES
from tests import desk_table
from tests.browser.longest_names import crowd
from tests.browser.page_checks import (
    DESKTOP,
    PHONE,
    SLIM,
    TABLET,
    Seen,
    above,
    appears,
    axe,
    tables_to_scroll,
    too_wide,
)
from tests.review.people import case, person

# each walk is some dozens of pages, each looked at several times
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
# no pages of their own
LEFT_OUT = ("password_change/done/", "jsi18n/", "autocomplete/")
DOWNLOADS = ("/json/", "/csv/", "/pdf/", "/xlsx/", "/raw/", "/verifier/")
# who is shown most on a page that several may read: with them it is looked at in every look, and
# what is too wide is looked for once
MOST = ("Senior officer", "Registrar", "Operator", "Examiner")
Look = tuple[str, Any]  # a colour scheme, and the size of the window
LIGHT, DARK_PHONE = ("light", DESKTOP), ("dark", PHONE)


@pytest.mark.nightly
@pytest.mark.parametrize("group", ROLES)
def test_every_page_of_a_role_is_clean_in_light_in_dark_and_on_a_phone(
    opened: Callable[..., Any], live_server: Any, group: str
) -> None:
    things = desk_table.make_things()
    page = opened(person("somebody", group))
    faults = list(walk(page, live_server.url, looks(things, group)))
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("group", [*MOST, ""])
def test_every_page_with_names_of_two_hundred_characters_is_clean_and_not_too_wide(
    opened: Callable[..., Any], live_server: Any, group: str
) -> None:
    """Each page once, with whom it shows most; `""` is a superuser."""
    things = desk_table.make_things()
    crowd(things)
    page = opened(person("somebody", group, superuser=not group))
    addresses = pages_of_most(things, group) if group else pages_of_a_superuser(things)
    faults = list(walk(page, live_server.url, in_every_look(addresses)))
    assert not faults, "\n".join(faults)


def in_every_look(addresses: Iterable[str]) -> dict[str, tuple[Look, ...]]:
    """Return how pages are looked at that only one kind of reader has."""
    return dict.fromkeys(addresses, (LIGHT, DARK_PHONE))


def walk(page: Any, home: str, looks: dict[str, tuple[Look, ...]]) -> Iterator[str]:
    """Yield what is wrong with each of these pages, in its looks and in each width."""
    seen = Seen(page, home)
    for address, schemes in looks.items():
        for scheme, size in schemes:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(size)
            page.goto(address)
            found = axe(page)  # a page may complain until it was looked at
            yield from (f"{address} {scheme}: {fault}" for fault in (*seen.faults, *found))
            seen.faults.clear()
        yield from wide(page, address)


def wide(page: Any, address: str) -> Iterator[str]:
    """Yield at which widths the page that is open would have to be panned."""
    for size in (SLIM, TABLET, DESKTOP):
        page.set_viewport_size(size)
        if (more := too_wide(page)) > 0:
            yield f"{address}: {more} pixels wider than {size['width']}"
        if size == SLIM:
            yield from (f"{address}: {table} to scroll" for table in tables_to_scroll(page))


def test_a_phone_leads_from_the_head_of_a_list_to_its_filters(
    opened: Callable[..., Any], live_server: Any
) -> None:
    for number in range(30):
        case(str(number))
    page = opened(person("edgar", "Examiner"), size=PHONE)
    page.goto("/admin/review/decisionevent/")
    link = page.get_by_role("link", name="Filters")
    assert above(page, ".to-filters a") < PHONE["height"]
    link.focus()
    page.keyboard.press("Enter")
    box = page.locator("#changelist-filter").bounding_box()
    assert 0 <= box["y"] < PHONE["height"] / 2
    page.set_viewport_size(DESKTOP)
    assert not link.is_visible()


def test_every_group_of_the_menu_opens_inside_the_window(
    opened: Callable[..., Any], live_server: Any
) -> None:
    page = opened(person("root", superuser=True))
    page.goto("/admin/")
    for size in (TABLET, DESKTOP):
        page.set_viewport_size(size)
        for summary in page.locator(".places summary").all():
            summary.click()
            assert too_wide(page) <= 0, (size, summary.inner_text())
            box = page.locator(".places details[open] ul").bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], size


def test_every_page_is_looked_at_with_a_long_name_once() -> None:
    rows = [row for row in desk_table.TABLE if row.method == "get" and row.who]
    assert [row.route for row in rows if most_of(row) == ""] == []
    assert {most_of(row) for row in rows} == set(MOST)


def most_of(row: desk_table.Row) -> str:
    """Return which of the groups that may read a page is shown most there."""
    return next((group for group in MOST if group in row.who), "")


def pages_of_most(things: dict[str, Any], group: str) -> list[str]:
    """Return the addresses of the pages on which no group is shown more than this one."""
    return _addresses(things, [row for row in desk_table.TABLE if most_of(row) == group])


def looks(things: dict[str, Any], group: str) -> dict[str, tuple[Look, ...]]:
    """Return the addresses of the pages that a group may read, with how each is looked at.

    Where another group is shown more, a phone in the dark is enough.
    """
    readable = _addresses(things, [row for row in desk_table.TABLE if group in row.who])
    most = pages_of_most(things, group)
    return {page: (LIGHT, DARK_PHONE) if page in most else (DARK_PHONE,) for page in readable}


def _addresses(things: dict[str, Any], readable: list[desk_table.Row]) -> list[str]:
    rows = [row for row in readable if row.method == "get"]
    leads = [row for row in rows if not row.route.endswith("<path:object_id>/")]
    pages_alone = [row for row in leads if not row.route.endswith(DOWNLOADS)]
    return [asked(row, things) for row in pages_alone if row.route not in LEFT_OUT]


def asked(row: desk_table.Row, things: dict[str, Any]) -> str:
    """Return the address of a page with what is asked for there."""
    query = urlencode(row.form(things))
    return row.address(things) + (f"?{query}" if query else "")


def pages_of_a_superuser(things: dict[str, Any]) -> list[str]:
    """Return the addresses of the pages that no group reaches, Django's own among them."""
    gets = [row for row in desk_table.TABLE if row.method == "get" and not row.who]
    alone = [row for row in gets if row.route not in LEFT_OUT]
    found = []
    for row in alone:
        model, _, rest = row.route.partition("/")[2].partition("/")
        django = model in ("user", "group") and "delete" not in rest
        if rest == "" or django:
            found.append(row.address(things))
    return found


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
    assert appears(page.get_by_role("button", name="Sign out"))
    assert seen.faults == []
