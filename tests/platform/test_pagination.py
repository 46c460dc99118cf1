"""Pages: bounded, strict about what they are asked, and stable while rows arrive."""

import base64
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from rest_framework.pagination import Cursor as Place
from rest_framework.test import APIClient

from apps.platform.api.pagination import EncryptedCursorPagination, encrypt_cursor
from apps.platform.jobs.models import Heartbeat
from tests.platform.endpoints import HeartbeatCursor

pytestmark = [pytest.mark.urls("tests.platform.endpoints"), pytest.mark.django_db]
CURSOR = "/compliance/test/cursor"


@pytest.fixture
def rows(noon: Any) -> list[str]:
    """Seven rows; the newest is last here and first on a page."""
    heartbeats = [Heartbeat(name=f"row{n}", at=noon + timedelta(seconds=n)) for n in range(7)]
    Heartbeat.objects.bulk_create(heartbeats)
    return [row.name for row in heartbeats]


def names(response: Any) -> list[str]:
    assert response.status_code == 200, response.content
    return [item["name"] for item in response.json()["items"]]


def test_a_cursor_reads_every_row_once_while_others_arrive(
    api: APIClient, rows: list[str], noon: Any
) -> None:
    page = api.get(f"{CURSOR}?limit=3")
    seen = names(page)
    Heartbeat.objects.create(name="then", at=noon + timedelta(hours=1))
    while page.json()["next"]:
        page = api.get(page.json()["next"])
        seen += names(page)
    assert seen == list(reversed(rows))
    assert page.json()["previous"]


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "é",
        base64.b64encode(b"p=abc").decode(),
        base64.b64encode(b"p=2026-99-99").decode(),
        base64.b64encode(b"o=-5&p=1").decode(),
        base64.b64encode(b"p=1&r=x").decode(),
        base64.b64encode(b"\xff\xfe").decode(),
        # as it was given out before cursors were sealed
        base64.b64encode(b"p=2026-11-20+12%3A00%3A03%2B00%3A00").decode(),
        "",
        "A" * 64,
        "A" * 65,
    ],
)
def test_a_cursor_that_is_none_of_ours_is_400(api: APIClient, rows: list[str], cursor: str) -> None:
    response = api.get(CURSOR, {"cursor": cursor})
    assert response.status_code == 400 and response.json()["errors"][0]["field"] == "cursor"


def given_out(page: Any, which: str = "next") -> str:
    return parse_qs(urlsplit(page.json()[which]).query)["cursor"][0]


def test_a_cursor_of_another_list_is_400(api: APIClient, rows: list[str]) -> None:
    for of in ("cursor", "cursor-beside"):
        sealed = encrypt_cursor("p=row3", of=of)
        answer = api.get(CURSOR, {"cursor": sealed})
        assert answer.status_code == (200 if of == "cursor" else 400), of


def test_rows_that_tie_in_the_order_of_a_list_come_once_each(
    api: APIClient, rows: list[str], noon: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(HeartbeatCursor, "ordering", "-at")
    Heartbeat.objects.update(at=noon)
    page = api.get(f"{CURSOR}?limit=2")
    seen = names(page)
    while page.json()["next"]:
        page = api.get(page.json()["next"])
        seen += names(page)
    assert sorted(seen) == rows


def test_a_cursor_tells_nothing_of_the_row_it_stands_at(api: APIClient, rows: list[str]) -> None:
    pages = [api.get(f"{CURSOR}?limit={limit}") for limit in (1, 2, 1)]
    first, second, again = (given_out(page) for page in pages)
    assert first == again != second
    for told in (first, second):
        assert b"2026" not in base64.urlsafe_b64decode(told)


@pytest.mark.parametrize("at", [0, 20, 40, 63])
def test_a_cursor_that_was_changed_anywhere_is_400(
    api: APIClient, rows: list[str], at: int
) -> None:
    told = given_out(api.get(f"{CURSOR}?limit=2"))
    assert names(api.get(CURSOR, {"cursor": told, "limit": 2})) == ["row4", "row3"]
    changed = told[:at] + ("A" if told[at] != "A" else "B") + told[at + 1 :]
    for bad in (changed, told + "A", told[:-4], told + "====", f" {told}"):
        assert api.get(CURSOR, {"cursor": bad}).status_code == 400


def test_a_cursor_under_another_secret_is_400(
    api: APIClient, rows: list[str], settings: Any
) -> None:
    told = given_out(api.get(f"{CURSOR}?limit=2"))
    settings.SECRET_KEY = "another" * 8
    assert api.get(CURSOR, {"cursor": told}).status_code == 400


def test_a_cursors_length_does_not_grow_with_the_number_of_the_row(rf: Any) -> None:
    pages = EncryptedCursorPagination()
    pages.base_url = "/x"
    lengths = {
        len(pages.encode_cursor(Place(offset=0, reverse=back, position=position)))
        for position in ("1", "9" * 19)
        for back in (False, True)
    }
    assert len(lengths) == 1


@pytest.mark.parametrize(("limit", "count"), [("1", 1), ("7", 7), ("200", 7)])
def test_a_limit_is_kept(api: APIClient, rows: list[str], limit: str, count: int) -> None:
    assert len(names(api.get(f"{CURSOR}?limit={limit}"))) == count


@pytest.mark.parametrize("limit", ["0", "201", "-1", "x", "", "1.5", "٣", "9" * 30])
def test_a_bad_limit_is_400(api: APIClient, limit: str) -> None:
    response = api.get(CURSOR, {"limit": limit})
    assert response.status_code == 400 and response.json()["errors"][0]["field"] == "limit"
