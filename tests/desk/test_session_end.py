"""A session that ends while somebody writes leads back to the page, never to a refusal."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from apps.platform.desk.view_guards import nearest_page_path
from tests import desk_table
from tests.desk_table import SITE, TABLE
from tests.review.people import OFFICER, at_desk, case, check_page, person

POSTS = sorted({row.route for row in TABLE if row.method == "post"})


def back(answer: Any) -> str:
    """Return where somebody is led who signs in now."""
    assert answer.status_code == 302, answer
    parts = urlsplit(answer.headers["Location"])
    assert parts.path == "/admin/login/"
    return parse_qs(parts.query)["next"][0]


def test_who_was_signed_out_while_deciding_comes_back_to_the_case(db: Any) -> None:
    new_case = case()
    address = back(Client().post(f"/admin/review/case/{new_case.pk}/decide/", {"note": "…"}))
    assert address == f"/admin/review/case/{new_case.pk}/"
    assert at_desk(person("olivia", OFFICER)).get(address).status_code == 200


@pytest.mark.parametrize(
    ("step", "page"),
    [
        ("/admin/core/legalhold/place/?find=Haddad", "/admin/core/legalhold/?find=Haddad"),
        (
            "/admin/review/case/bulk/clear/?case=1&case=2",
            "/admin/review/case/bulk/clear/?case=1&case=2",
        ),
    ],
)
def test_what_was_found_or_chosen_there_is_found_again(db: Any, step: str, page: str) -> None:
    assert back(Client().post(step, {"reason": "…"})) == page


@pytest.mark.parametrize(
    ("step", "page"),
    [
        ("/admin/review/case/next/", "/admin/review/case/"),
        ("/admin/review/case/bulk/clear/", "/admin/review/case/bulk/clear/"),
        ("/admin/review/case/bulk/7/confirm/", "/admin/review/case/bulk/7/"),
        ("/admin/sar/sarentry/7/step/", "/admin/sar/sarentry/7/"),
        ("/admin/review/case/7/", "/admin/review/case/7/"),
        ("/nowhere/at/all/", ""),
    ],
)
def test_a_step_belongs_to_the_nearest_page_above_it(step: str, page: str) -> None:
    assert nearest_page_path(step) == page


@pytest.mark.once
def test_no_address_of_the_desk_leads_back_to_a_refusal(db: Any) -> None:
    things = desk_table.make_things()
    root = at_desk(person("root", superuser=True))
    wrong = []
    for row in TABLE:
        if row.method != "post" or row.route in SITE:
            continue
        address = back(Client().post(row.address(things), row.form(things)))
        if root.get(address).status_code == 405:
            wrong.append((row.route, address))
    assert POSTS and not wrong


def test_signing_out_twice_leads_to_the_home_page(db: Any) -> None:
    assert Client().post("/admin/logout/").headers["Location"] == "/admin/"


def test_a_page_that_was_asked_for_is_still_what_comes_after_signing_in(db: Any) -> None:
    new_case = case()
    assert back(Client().get(f"/admin/review/case/{new_case.pk}/?x=1")).endswith(
        f"/{new_case.pk}/?x=1"
    )


@pytest.mark.parametrize("step", ["decide/", "claim/", "snooze/"])
def test_a_form_without_its_token_leads_who_is_not_signed_in_back_too(db: Any, step: str) -> None:
    one, strict = case(), Client(enforce_csrf_checks=True)
    address = back(strict.post(f"/admin/review/case/{one.pk}/{step}", {"note": "…"}))
    assert address == f"/admin/review/case/{one.pk}/"


def test_a_sign_in_without_its_token_stays_in_the_desk_and_leads_on(db: Any) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/admin/login/?next=/admin/review/case/7/", {"username": "olivia"})
    html = check_page(answer, 403)
    assert "This form is out of date" in html and "your browser does not accept cookies" in html
    assert 'href="/admin/login/?next=/admin/review/case/7/"' in html
    assert 'id="site-name"' in html and "Not allowed" not in html
    assert 'data-key="/"' not in html and 'id="user-tools"' not in html


def test_a_form_without_its_token_keeps_who_is_signed_in_in_the_desk(db: Any) -> None:
    one, desk = case(), at_desk(person("olivia", OFFICER))
    desk.handler.enforce_csrf_checks = True
    html = check_page(desk.post(f"/admin/review/case/{one.pk}/decide/", {"note": "…"}), 403)
    assert "This form is out of date" in html and 'id="user-tools"' in html
