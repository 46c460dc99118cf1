"""GET /compliance/screens: a tenant's own screens, page by page."""

from apps.core.clock import now
from apps.desk.roles import ensure_staff
from apps.review import actions as review
from apps.review.models import Case
from tests.openapi import check_answer

LIST = "/compliance/compliance/screens"


def test_the_newest_come_first_and_pages_lead_on_without_gaps(alice, screen) -> None:
    made = [screen(reference=f"R{number}")["screenId"] for number in range(5)]
    seen, address = [], f"{LIST}?limit=2"
    while address:
        page = alice.get(address).json()
        check_answer("compliance", "GET", "/compliance/screens", page)
        assert len(page["items"]) <= 2
        seen += [item["screenId"] for item in page["items"]]
        address = page["next"]
    assert seen == made[::-1]


def test_flagged_ones_carry_the_outcome_once_decided_and_nothing_more(alice, screen, db) -> None:
    screen()
    flagged = screen(country="HT", reference="PO-1")
    officer = ensure_staff(username="o", group="Compliance officer", password="a long password")
    note = "Due diligence was done on the route."
    review.decide(
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


def test_bad_filters_are_refused(alice) -> None:
    for query in ("decision=MAYBE", "limit=0", "limit=201", "limit=x", "cursor=zz", "surprise=1"):
        answer = alice.get(f"{LIST}?{query}")
        assert answer.status_code == 400, query


def test_another_tenant_sees_none_of_them(screen, caller) -> None:
    screen()
    assert caller("Bob Treasury").get(LIST).json()["items"] == []
