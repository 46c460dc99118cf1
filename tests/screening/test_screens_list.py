"""GET /compliance/screens: a tenant's own screens, page by page."""

import json

from apps.backoffice.review import services as review
from apps.backoffice.review.models import Case
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.platform.desk.role_sync import ensure_staff_user
from tests.openapi import check_answer

LIST = "/compliance/compliance/screens"


def test_the_newest_come_first_and_pages_lead_on_without_gaps(alice, screen) -> None:
    screen_ids = [screen(reference=f"R{number}")["screenId"] for number in range(5)]
    seen, address = [], f"{LIST}?limit=2"
    while address:
        page = alice.get(address).json()
        check_answer("compliance", "GET", "/compliance/screens", page)
        assert len(page["items"]) <= 2
        seen += [item["screenId"] for item in page["items"]]
        address = page["next"]
    assert seen == screen_ids[::-1]


def test_flagged_ones_carry_the_outcome_once_decided_and_nothing_more(alice, screen, db) -> None:
    screen()
    flagged = screen(country="HT", reference="PO-1")
    officer = ensure_staff_user(
        username="o", group="Compliance officer", password="a long password"
    )
    note = "Due diligence was done on the route."
    review.decide_case(
        case=Case.objects.get(),
        by=officer,
        outcome="APPROVE",
        reason_code="COUNTRY_EDD",
        note=note,
        now=now(),
    )
    page = alice.get(f"{LIST}?decision=FLAGGED")
    (item,) = page.json()["items"]
    assert (item["screenId"], item["reference"]) == (flagged["screenId"], "PO-1")
    assert item["resolution"]["outcome"] == "APPROVE"
    assert note not in page.content.decode()


def test_a_page_costs_three_queries_whatever_its_length(
    alice, screen, django_assert_num_queries
) -> None:
    for _ in range(4):
        screen(country="HT")
    alice.get(LIST)
    with django_assert_num_queries(3):  # key, screens, resolutions
        alice.get(LIST)


def ids(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [item["screenId"] for item in answer.json()["items"]]


def test_screens_are_found_by_their_reference(alice, screen, caller) -> None:
    first, _, third = (screen(reference=text)["screenId"] for text in ("PO 1", "PO 12", "PO 1"))
    assert ids(alice.get(LIST, {"reference": "PO 1"})) == [third, first]
    assert ids(alice.get(LIST, {"reference": "PO 1", "decision": "BLOCKED"})) == []
    for other in ("PO", "po 1", " PO 1"):
        assert ids(alice.get(LIST, {"reference": other})) == []
    assert ids(caller("Bob Treasury").get(LIST, {"reference": "PO 1"})) == []


def test_the_reference_is_no_column_in_clear(screen) -> None:
    screen(reference="Jane Doe")
    record = Screen.objects.get()
    assert "Jane" not in json.dumps(record.envelope(), default=str)


def test_screens_are_found_by_time_from_its_first_moment_to_before_its_last(alice, screen) -> None:
    made = [screen() for _ in range(3)]
    at = [Screen.objects.get(screen_id=one["screenId"]).recorded_at for one in made]
    screen_ids = [one["screenId"] for one in made]
    asked = {"screenedFrom": at[1].isoformat(), "screenedUntil": at[2].isoformat()}
    assert ids(alice.get(LIST, asked)) == [screen_ids[1]]
    assert ids(alice.get(LIST, {"screenedFrom": at[1].isoformat()})) == [
        screen_ids[2],
        screen_ids[1],
    ]
    assert ids(alice.get(LIST, {"screenedUntil": at[1].isoformat()})) == [screen_ids[0]]


def test_the_next_page_keeps_the_filters(alice, screen) -> None:
    for _ in range(3):
        screen(reference="PO 1")
        screen(reference="PO 2")
    page = alice.get(LIST, {"reference": "PO 1", "limit": 2}).json()
    assert [item["reference"] for item in alice.get(page["next"]).json()["items"]] == ["PO 1"]


BAD = (
    *("decision=MAYBE", "limit=0", "limit=201", "limit=x", "cursor=zz", "surprise=1"),
    # cursors that were cut, lengthened, made up, or of another kind than ours
    *("cursor=AAAAAAAA", "cursor=bz0x", "cursor=cD03x", "cursor=cj0x", "cursor=cD03%0A"),
    *("reference=", "screenedFrom=yesterday", "screenedFrom=2026-11-20T12:00:00"),
    *("screenedUntil=2026-11-20", "screenedUntil=", "screenedFrom=1763640000"),
    *("screenedFrom=0001-01-01T00:00:00%2B14:00", "screenedUntil=9999-12-31T23:59:59-14:00"),
)


def test_bad_filters_are_refused(alice) -> None:
    for query in BAD:
        answer = alice.get(f"{LIST}?{query}")
        assert answer.status_code == 400, query


def test_another_tenant_sees_none_of_them(screen, caller) -> None:
    screen()
    assert caller("Bob Treasury").get(LIST).json()["items"] == []
