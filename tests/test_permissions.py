"""The whole permission matrix: every group and strangers at every address of the desk."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib import admin

from config.desk_roles import ROLES
from tests import desk_table
from tests.desk.crawl import reached
from tests.desk_table import SITE, TABLE, Row
from tests.module_data import held
from tests.review.people import at_desk, check_page, person

ROOT = "a superuser"
NOWHERE = "/admin/nothing/of-the-kind/"
SIGN_IN = "/admin/login/"
# ids that no row has, or that no row can have
STRANGE = ("0", "999999", "9" * 18, "9" * 19, "9" * 400, "-1", "x", "%00", "1%00", "_5F", "1/2")
TURNS = 2  # strange ids that each route is asked with
WITH_ID = sorted({row.route for row in TABLE if "<" in row.route})
GONE = (
    "django_q/schedule/", "django_q/ormq/", "django_q/success/", "core/seal/", "core/heartbeat/",
    "review/case/1/delete/", "review/case/1/change/", "review/case/add/", "sar/sarentry/add/",
    "sar/sarentry/1/delete/", "sar/sarentry/1/history/", "sar/filingevent/", "sar/sarmatter/",
    "oversight/readevent/add/", "oversight/readevent/1/delete/", "oversight/exportevent/add/",
    "oversight/sample/add/", "oversight/sample/1/delete/", "oversight/secondlook/",
)  # fmt: skip


@pytest.fixture(scope="module")
def _made(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    with held(request):
        with django_db_blocker.unblock():
            made = desk_table.make_things()
        yield made


@pytest.fixture
def things(_made: dict[str, Any], db: Any) -> dict[str, Any]:
    return dict(_made)


def said(answer: Any) -> tuple[int, bytes]:
    """Return status and page without what is another each time: a form's token, a time."""
    plain = re.sub(rb'(csrfmiddlewaretoken" value=)"\w+"', rb"\1", answer.content)
    return answer.status_code, re.sub(rb"\d\d:\d\d:\d\d UTC", b"", plain)


def led_to_sign_in(answer: Any) -> bool:
    """Tell whether an answer leads to the page where one signs in, and to no other."""
    return answer.status_code == 302 and urlsplit(answer["Location"]).path == SIGN_IN


def call(client: Any, row: Row, things: dict[str, Any]) -> Any:
    return getattr(client, row.method)(row.address(things), row.form(things))


def test_the_table_has_every_address_of_the_desk() -> None:
    assert desk_table.routes() - SITE == {row.route for row in TABLE}


@pytest.mark.parametrize("group", ROLES)
def test_each_group_reaches_exactly_its_addresses(things: dict[str, Any], group: str) -> None:
    # the pages that a group may open are opened, and read, in tests/desk/test_every_page.py
    desk = at_desk(person("somebody", group))
    wrong = []
    for row in TABLE:
        if row.method == "get" and group in row.who:
            continue
        answer = call(desk, row, things)
        if reached(answer) != (group in row.who):
            wrong.append((row.method, row.address(things), answer.status_code))
    assert not wrong


@pytest.mark.parametrize("group", sorted(set(ROLES) - desk_table.SENIORS))
def test_hidden_addresses_answer_as_if_they_were_not_there(
    things: dict[str, Any], group: str
) -> None:
    desk = at_desk(person("somebody", group))
    nothing = desk.get(NOWHERE)
    assert nothing.status_code == 404
    for row in TABLE:
        if row.hidden:
            answer = call(desk, row, things)
            assert said(answer) == said(nothing), row.route


def test_strangers_are_sent_to_sign_in_wherever_they_knock(
    things: dict[str, Any], client: Any
) -> None:
    for row in TABLE:
        assert led_to_sign_in(call(client, row, things)), row.route
    assert led_to_sign_in(client.get(NOWHERE))
    check_page(client.get(SIGN_IN))


def test_a_method_that_no_row_speaks_of_is_refused(things: dict[str, Any]) -> None:
    desks = {group: at_desk(person(group.lower().replace(" ", "-"), group)) for group in ROLES}
    desks[ROOT] = at_desk(person("root", superuser=True))
    names = [*desks]
    wrong = []
    for number, (route, method) in enumerate(desk_table.unknown()):
        address = desk_table.addressed(route, things)
        hidden = route in desk_table.HIDDEN
        # what is hidden is hidden from each; elsewhere no role matters, so that they take turns
        for group in names if hidden else [names[number % len(names)]]:
            sees = not hidden or group in (desk_table.SENIOR, ROOT)
            # the methods of no page at all are refused before anything is looked up
            expected = 405 if sees or method not in ("get", "head", "post") else 404
            status = getattr(desks[group], method)(address).status_code
            if status != expected:
                wrong.append((group, method, address, status))
    assert not wrong


def test_head_tells_what_get_does_without_the_page(things: dict[str, Any]) -> None:
    desk = at_desk(person("edgar", "Examiner"))
    for row in TABLE:
        if row.method == "get" and "Examiner" in row.who:
            head, found = (getattr(desk, m)(row.address(things)) for m in ("head", "get"))
            body = b"".join(head) if head.streaming else head.content
            assert (head.status_code, body) == (found.status_code, b""), row.route


@pytest.mark.parametrize("method", desk_table.METHODS)
def test_hidden_addresses_answer_every_method_as_if_they_were_not_there(
    things: dict[str, Any], method: str
) -> None:
    desk = at_desk(person("edgar", "Examiner"))
    nothing = getattr(desk, method)(NOWHERE)
    for route in sorted(desk_table.HIDDEN):
        answer = getattr(desk, method)(desk_table.addressed(route, things))
        assert said(answer) == said(nothing), route


def answered_wrongly(desk: Any, things: dict[str, Any], route: str, value: str) -> list[Any]:
    """Return what a page with an id of nothing answers that it may not."""
    address = desk_table.addressed(route, things, value)
    statuses = [(method, getattr(desk, method)(address).status_code) for method in ("get", "post")]
    return [(address, *status) for status in statuses if status[1] not in (302, 400, 403, 404, 405)]


def test_an_id_of_nothing_is_answered_and_never_fails(things: dict[str, Any]) -> None:
    desk = at_desk(person("root", superuser=True))
    wrong = []
    for number, route in enumerate(WITH_ID):
        # pages of one model share how they read an id: over them each meets every value
        for turn in range(TURNS):
            value = STRANGE[(number + turn * TURNS) % len(STRANGE)]
            wrong += answered_wrongly(desk, things, route, value)
    assert not wrong


def test_an_id_of_nothing_is_answered_to_who_sees_a_part_too(things: dict[str, Any]) -> None:
    desk = at_desk(person("somebody", "Examiner"))
    wrong = []
    for number, route in enumerate(WITH_ID):
        wrong += answered_wrongly(desk, things, route, STRANGE[(number + 1) % len(STRANGE)])
    assert not wrong


def test_strangers_are_sent_to_sign_in_whatever_the_method(db: Any, client: Any) -> None:
    for route in sorted(desk_table.routes() - SITE):
        for method in desk_table.METHODS:
            answer = getattr(client, method)(desk_table.addressed(route, {}))
            assert led_to_sign_in(answer), route


@pytest.mark.parametrize("group", ROLES)
def test_each_group_has_exactly_its_actions(db: Any, rf: Any, group: str) -> None:
    request = rf.get("/admin/")
    request.user = person("somebody", group)
    for model, page in admin.site._registry.items():
        label = model._meta.label_lower
        known = desk_table.ACTIONS.get(label, {})
        offered = page._filter_actions_by_permissions(request, page._get_base_actions())
        assert {name for _, name, _ in offered} == {n for n, who in known.items() if group in who}
        assert {name for _, name, _ in page._get_base_actions()} == set(known), label


@pytest.mark.parametrize("group", ROLES)
def test_the_list_of_an_app_is_for_those_who_see_one_of_its_pages(db: Any, group: str) -> None:
    desk = at_desk(person("somebody", group))
    labels = {model._meta.app_label for model in admin.site._registry}
    assert labels == set(desk_table.APPS)
    nothing = desk.get("/admin/nothing/")
    for label, who in desk_table.APPS.items():
        answer = desk.get(f"/admin/{label}/")
        assert answer.status_code == (200 if group in who else 404), label
        if group not in who:
            assert said(answer) == said(nothing)


def test_a_user_who_is_no_staff_stays_outside(things: dict[str, Any]) -> None:
    user = person("olivia", *ROLES)
    user.is_staff = False
    user.save()
    desk = at_desk(user)
    assert [row.route for row in TABLE if not led_to_sign_in(call(desk, row, things))] == []


def test_a_user_who_left_stays_outside(things: dict[str, Any]) -> None:
    user = person("olivia", *ROLES)
    desk = at_desk(user)
    user.is_active = False
    user.save()
    assert [row.route for row in TABLE if not led_to_sign_in(call(desk, row, things))] == []


@pytest.mark.parametrize("address", GONE)
def test_what_must_not_be_edited_has_no_page_even_for_a_superuser(db: Any, address: str) -> None:
    assert at_desk(person("root", superuser=True)).get(f"/admin/{address}").status_code == 404


@pytest.mark.parametrize("group", ROLES)
def test_the_menu_holds_no_page_that_cannot_be_opened(things: dict[str, Any], group: str) -> None:
    desk = at_desk(person("somebody", group))
    _, found, rest = check_page(desk.get("/admin/")).partition('aria-label="Pages"')
    menu = rest.split("</nav>")[0]
    assert found
    for address in {part.split('"')[0] for part in menu.split('href="')[1:]}:
        assert desk.get(address).status_code == 200, address
