"""Refusals stay in the desk for who is signed in; a sandbox says on every page that it is one."""

from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from tests.review.people import NOTE, OFFICER, at_desk, case, check_page, person

MARK = '<p class="sandbox-mark"><strong>SANDBOX</strong>'


@pytest.fixture
def olivia(db: Any) -> Client:
    return at_desk(person("olivia", OFFICER))


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/admin/nothing/", 404, "you are not allowed to see it"),
        ("/admin/review/case/999999/", 404, "you are not allowed to see it"),
        ("/admin/sar/sarentry/", 404, "you are not allowed to see it"),
        ("/admin/core/job/", 403, "Ask an administrator who does"),
        ("/admin/review/case/?q=%00", 400, "that no record can have"),
    ],
)
def test_a_refusal_is_a_page_of_the_desk(
    olivia: Client, address: str, status: int, words: str
) -> None:
    html = check_page(olivia.get(address), status=status)
    assert words in html and 'aria-label="Pages"' in html and 'data-key="/"' in html


def test_a_stale_form_is_refused_in_the_desk(db: Any) -> None:
    desk = Client(enforce_csrf_checks=True)
    desk.force_login(person("olivia", OFFICER))
    page = f"/admin/review/case/{case().pk}/"
    came = {"referer": f"http://testserver{page}"}
    html = check_page(desk.post(f"{page}escalate/", {"note": NOTE}, headers=came), status=403)
    assert "This form is out of date" in html and 'aria-label="Pages"' in html
    assert f'<a href="{page}">Back to the page</a>' in html and "not yours" not in html
    for came in ({}, {"referer": f"http://elsewhere.example{page}"}):
        html = check_page(desk.post(f"{page}escalate/", {"note": NOTE}, headers=came), status=403)
        assert "Back to the page" not in html


def test_strangers_and_other_addresses_are_refused_as_before(client: Client, db: Any) -> None:
    assert client.get("/admin/nothing/").status_code == 302
    for address in ("/nothing/", "/administer/"):
        for browser in (client, at_desk(person(f"p{address[1]}{id(client)}"[:20], OFFICER))):
            html = browser.get(address)
            assert html.status_code == 404 and b'aria-label="Pages"' not in html.content
    answer = client.get("/compliance/nothing")
    assert answer.status_code == 404 and answer["Content-Type"] == "application/problem+json"


def test_a_signed_in_caller_of_the_api_still_gets_a_document(olivia: Client) -> None:
    answer = olivia.get("/compliance/nothing")
    assert answer.status_code == 404 and answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("address", ["/admin/", "/admin/review/case/", "/admin/nothing/"])
def test_a_sandbox_is_marked_in_words_and_production_never(
    olivia: Client, address: str, settings: Any
) -> None:
    settings.PRODUCTION = False
    assert MARK in olivia.get(address).content.decode()
    settings.PRODUCTION = True
    html = olivia.get(address).content.decode().lower()
    assert "sandbox" not in html


def test_the_sign_in_page_is_marked_too(client: Client, db: Any, settings: Any) -> None:
    settings.PRODUCTION = False
    assert MARK in client.get("/admin/login/").content.decode()
    settings.PRODUCTION = True
    assert "sandbox" not in client.get("/admin/login/").content.decode().lower()


def test_who_has_a_group_without_pages_is_told_so(db: Any) -> None:
    Group.objects.create(name="Guests")
    assert "your group yet: Guests" in check_page(at_desk(person("gus", "Guests")).get("/admin/"))
