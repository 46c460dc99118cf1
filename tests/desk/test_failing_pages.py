"""A page of the desk that fails says so in words, and where to look; an API answers as ever."""

from typing import Any

import pytest
from django.test import Client

from apps.backoffice.review.admin import cases
from apps.platform.desk import home
from tests.review.people import OFFICER, case, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db: Any) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person("olivia", OFFICER))
    return client


def fail(*given: Any, **more: Any) -> None:
    raise RuntimeError("the disk is full")


def test_a_page_that_fails_is_a_page_in_words(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "collect_tiles", fail)
    answer = desk.get("/admin/")
    html = answer.content.decode()
    assert answer.status_code == 500 and answer["Content-Type"].startswith("text/html")
    assert "Something went wrong on our side" in html and "UTC" in html
    assert 'href="/admin/"' in html and "was stored" not in html and "disk" not in html


def test_who_sent_something_is_told_to_look_whether_it_was_stored(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"/admin/review/case/{case().pk}/"
    monkeypatch.setitem(cases.STEPS, "claim", fail)
    answer = desk.post(f"{page}claim/", HTTP_REFERER=f"http://testserver{page}")
    html = answer.content.decode()
    assert answer.status_code == 500 and "Check whether your changes were saved" in html
    assert f'<a href="{page}">Back to the page</a>' in html


def test_a_step_without_a_referer_leads_to_no_address_that_only_takes_forms(
    desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"/admin/review/case/{case().pk}/"
    monkeypatch.setitem(cases.STEPS, "claim", fail)
    html = desk.post(f"{page}claim/").content.decode()
    assert f'<a href="{page}">Back to the page</a>' in html
