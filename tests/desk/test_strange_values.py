"""What no row can hold, in addresses and forms of the desk, is refused and never fails."""

from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from apps.backoffice.review.views.queue_query import QueueQuery
from apps.platform.desk import error_pages, view_guards
from tests import desk_table
from tests.desk_table import TABLE
from tests.review.people import NOTE, OFFICER, at_desk, case, check_page, person

PAGES = sorted({row.route for row in TABLE if row.method == "get" and "<" not in row.route})
FAR = ("99999", "9999", "10000", "0", "-1", "2200", "1999", "x", "²", "9" * 400)
DAYS = ("0001-01-01", "9999-12-31", "1999-12-31", "2200-01-01", "2026-02-30", "x", "9" * 400)


@pytest.fixture
def root(db: Any) -> Client:
    return at_desk(person("root", superuser=True))


def test_a_nul_in_an_address_or_a_form_is_refused(
    root: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("q=a%00b", "what=%00", "%00=1", "state__exact=%00", "owner=%00&view=all")
    with monkeypatch.context() as patch:  # the page that says so is the same for all
        patch.setattr(
            error_pages,
            "_render_desk_error",
            lambda request, status, *_: HttpResponse(status=status),
        )
        told = {
            f"{route}?{query}": root.get(f"/admin/{route}?{query}").status_code
            for route, query in product(PAGES, asked)
        }
    assert {one: status for one, status in told.items() if status not in (400, 405)} == {}
    refused = root.get("/admin/review/case/?q=a%00b")
    assert refused.status_code == 400 and error_pages.TITLES[400] in refused.content.decode()
    new_case = case()
    answer = root.post(f"/admin/review/case/{new_case.pk}/escalate/", {"note": f"{NOTE}\x00"})
    assert answer.status_code == 400 and new_case.events.count() == 1
    assert root.get("/admin/core/periodic/core.seal%00/change/").status_code == 404


@pytest.mark.parametrize("year", FAR)
def test_a_year_that_no_record_has_is_refused(root: Client, year: str) -> None:
    for span in ("year", "month", "day"):
        fits = span != "year" and year in ("9999", "0", "2200", "1999")
        answer = root.get(f"/admin/oversight/readevent/?recorded_at__{span}={year}")
        assert answer.status_code in ((200, 302) if fits else (400,)), span


@pytest.mark.parametrize(
    ("year", "known"), [(1999, False), (2000, True), (2199, True), (2200, False)]
)
def test_years_are_taken_up_to_their_bounds(root: Client, year: int, known: bool) -> None:
    answer = root.get(f"/admin/oversight/readevent/?recorded_at__year={year}")
    assert answer.status_code == (200 if known else 400)
    asked = QueueQuery.read({"opened": f"{year}-06-30"}, {"open"})
    assert asked.opened == (f"{year}-06-30" if known else "")
    assert view_guards.FIRST_YEAR <= datetime.now(UTC).year <= view_guards.LAST_YEAR


@pytest.mark.parametrize("day", DAYS)
def test_a_far_day_narrows_nothing_and_puts_nothing_aside(db: Any, day: str) -> None:
    new_case = case()
    desk = at_desk(person("olivia", OFFICER))
    for name in ("opened", "decided", "since"):
        assert new_case.party in check_page(desk.get(f"/admin/review/case/?{name}={day}"))
    given = {"until": day, "note": NOTE}
    answer = desk.post(f"/admin/review/case/{new_case.pk}/snooze/", given)
    assert answer.status_code == 400 and "Choose" in answer.content.decode()


@pytest.mark.parametrize("sort", ["due", "newest", "score", "amount"])
@pytest.mark.parametrize(
    "place",
    ["0001-01-01T00:00:00+14:00~1", "9999-12-31T23:59:59-14:00~1", "NaN~1", "Infinity~1", "1e99~1",
     "9" * 30 + "~1", f"1~{'9' * 18}", f"1~{'9' * 19}", "~", "1~-1"],
)  # fmt: skip
def test_a_place_that_no_case_has_is_answered(root: Client, sort: str, place: str) -> None:
    address = "/admin/review/case/"
    assert root.get(address, {"sort": sort, "after": place}).status_code == 200


@pytest.mark.parametrize("until", ["9999-12-31", "2200-01-01", "0001-01-01"])
def test_an_export_of_far_days_is_refused(root: Client, until: str) -> None:
    given = {"what": "cases", "since": "2026-01-01" if until[0] == "0" else until, "until": until}
    assert root.post("/admin/oversight/exportevent/run/", given).status_code == 400


@pytest.mark.parametrize("seen", ["9" * 9, "9" * 10, "9" * 5000, "²", "-1", "x", ""])
def test_a_strange_count_of_steps_is_a_refusal(root: Client, seen: str) -> None:
    things = desk_table.make_things()
    given = {"action": "FILED", "reference": "BSA 1", "seen": seen}
    answer = root.post(f"/admin/sar/sarentry/{things['sar/sarentry']}/step/", given)
    assert answer.status_code == 409


@pytest.mark.parametrize("digits", [18, 19, 30, 400])
def test_a_long_id_of_the_sar_log_is_nowhere(root: Client, digits: int) -> None:
    address = f"/admin/sar/sarentry/{'9' * digits}/"
    assert root.get(address).status_code == 404
    assert root.post(f"{address}step/", {"action": "FILED"}).status_code == 404


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_no_page_knows_other_methods(root: Client, method: str) -> None:
    answer = getattr(root, method)("/admin/review/case/")
    assert answer.status_code == 405 and answer.headers["Allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize(
    "following", ["https://evil.example/", "//evil.example", "javascript:x", ""]
)
def test_a_refused_next_at_sign_in_leads_home(client: Client, db: Any, following: str) -> None:
    user = person("olivia", OFFICER)
    user.set_password("first pass phrase")
    user.save()
    given = {"username": "olivia", "password": "first pass phrase", "next": following}
    answer = client.post(f"/admin/login/?next={following}", given)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")
    assert client.get(answer["Location"]).status_code == 200


def test_a_next_on_this_site_is_followed(client: Client, db: Any) -> None:
    user = person("olivia", OFFICER)
    user.set_password("first pass phrase")
    user.save()
    given = {"username": "olivia", "password": "first pass phrase", "next": "/admin/review/case/"}
    assert client.post("/admin/login/", given)["Location"] == "/admin/review/case/"
