"""Opening personal data is on record, without any page having to remember it."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client

from apps.core import sealing
from apps.oversight import actions, middleware
from apps.oversight.models import ReadEvent
from apps.sar.models import SarRead
from apps.screening.models import Screen
from config.oversight import IMPERSONAL, WORK_LISTS
from tests import desk_table
from tests.review.people import NOON, NOTE, OFFICER, at_desk, case, look, person

CASES = "/admin/review/case/"


@pytest.fixture
def olivia(db: Any) -> Client:
    return at_desk(person("olivia", OFFICER))


def seen() -> list[tuple[str, str, str]]:
    rows = ReadEvent.objects.order_by("pk").select_related("by")
    return [(event.by.username, event.what, event.ref) for event in rows]


def test_every_page_of_the_desk_is_judged_personal_or_not() -> None:
    known = {model._meta.label_lower for model in admin.site._registry}
    assert known >= IMPERSONAL - {"oversight.health"} and known >= WORK_LISTS
    personal = known - IMPERSONAL
    assert personal == {
        "auth.user", "auth.group", "oversight.sample", "review.case", "review.decisionevent",
        "sar.sarentry", "sar.sarread", "screening.reportrecord", "screening.screen",
        "staff.peopleevent", "staff.person", "watchlists.entitystate", "watchlists.party",
    }  # fmt: skip


def test_opening_a_case_is_recorded(olivia: Client) -> None:
    one = case(evidence={})
    assert olivia.get(f"{CASES}{one.pk}/").status_code == 200
    assert seen() == [("olivia", "review.case", str(one.pk))]
    event = ReadEvent.objects.get()
    assert event.data == {"address": f"{CASES}{one.pk}/", "query": ""}


def test_the_queue_is_no_news_but_a_search_in_it_is(olivia: Client) -> None:
    olivia.get(CASES)
    assert seen() == []
    olivia.get(f"{CASES}?q=Haddad")
    assert seen() == [("olivia", "review.case", "")]
    assert ReadEvent.objects.get().data["query"] == "q=Haddad"


def test_what_was_searched_for_is_in_the_payload_alone(olivia: Client) -> None:
    olivia.get(f"{CASES}?q=Haddad")
    assert "Haddad" not in str(ReadEvent.objects.get().envelope())


def test_what_was_not_shown_is_not_recorded(olivia: Client) -> None:
    one = case(evidence={})
    olivia.get(f"{CASES}99999/")
    olivia.get("/admin/screening/screen/")
    olivia.get(f"{CASES}{one.pk}")
    Client().get(f"{CASES}{one.pk}/")
    olivia.post(f"{CASES}{one.pk}/claim/")
    assert seen() == []


def test_a_refused_step_shows_the_case_and_is_recorded(olivia: Client) -> None:
    one = case(evidence={})
    answer = olivia.post(f"{CASES}{one.pk}/decide/", {"note": NOTE})
    assert answer.status_code == 400
    assert seen() == [("olivia", "review.case", str(one.pk))]


def test_a_page_of_no_personal_data_is_not_recorded(db: Any) -> None:
    desk = at_desk(person("otto", "Operator"))
    for address in ("/admin/", "/admin/core/job/", "/admin/access/apikey/"):
        assert desk.get(address).status_code == 200
    assert seen() == []


def test_an_examiner_opening_records_is_recorded(db: Any) -> None:
    things = desk_table.make_things()
    desk = at_desk(person("edgar", "Examiner"))
    screen = Screen.objects.get(pk=things["screening/screen"])
    desk.get(f"/admin/screening/screen/{screen.pk}/")
    desk.get("/admin/screening/screen/")
    desk.get(f"/admin/review/decisionevent/{things['review/decisionevent']}/history/")
    assert seen() == [
        ("edgar", "screening.screen", str(screen.pk)),
        ("edgar", "screening.screen", ""),
        ("edgar", "review.decisionevent", str(things["review/decisionevent"])),
    ]


def test_a_page_whose_reading_cannot_be_recorded_is_not_shown(
    olivia: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**given: Any) -> None:
        raise RuntimeError("the ledger is away")

    monkeypatch.setattr(middleware, "record_read", broken)
    olivia.raise_request_exception = False
    assert olivia.get(f"{CASES}{case(evidence={}).pk}/").status_code == 500


def test_reads_of_the_sar_log_go_elsewhere(db: Any) -> None:
    sybil = person("sybil")
    actions.record_read(by=sybil, what="sar.sarentry", ref="1", now=NOON)
    actions.record_read(by=sybil, what="review.case", ref="1", now=NOON, address="/a", query="b")
    assert seen() == [("sybil", "review.case", "1")]
    assert SarRead.objects.get().ref == "1"
    sealing.seal_all(now=NOON)
    assert sealing.verify(ledger="reads").faults == []


def test_the_examiners_page_shows_who_opened_what(db: Any, olivia: Client) -> None:
    one = case(evidence={})
    olivia.get(f"{CASES}{one.pk}/")
    edgar = at_desk(person("edgar", "Examiner"))
    html = look(edgar.get("/admin/oversight/readevent/"))
    assert "olivia" in html and f'href="{CASES}{one.pk}/"' in html
    assert "olivia" in look(edgar.get("/admin/oversight/readevent/?q=olivia"))
    found = edgar.get("/admin/oversight/readevent/?q=nobody")
    assert f'href="{CASES}{one.pk}/"' not in look(found)


def test_looking_up_reads_takes_as_many_queries_for_many_as_for_few(
    db: Any, django_assert_max_num_queries: Any
) -> None:
    somebody = person("somebody")
    for number in range(60):
        actions.record_read(by=somebody, what="review.case", ref=str(number), now=NOON)
    edgar = at_desk(person("edgar", "Examiner"))
    with django_assert_max_num_queries(14):
        edgar.get("/admin/oversight/readevent/")
