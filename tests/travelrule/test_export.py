"""GET /travel-rule/export: pages of records for who may see all (document 2 section 4)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.payments.travelrule.models import TravelRecord
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client

pytestmark = pytest.mark.django_db
EXPORT = "/integration/travel-rule/export"


def export(client: Any, *, answers: int = 200, **query: Any) -> dict[str, Any]:
    answer = client.get(EXPORT, query)
    assert answer.status_code == answers, answer.content
    return dict(answer.json())


def ids(page: dict[str, Any]) -> list[str]:
    return [record["paymentId"] for record in page["records"]]


def test_records_come_the_oldest_first(three: list[str], examiner: Any) -> None:
    page = export(examiner)
    assert ids(page) == three
    assert (page["limit"], page["offset"]) == (100, 0)
    assert "nextCursor" not in page


def test_limit_and_offset_page_without_overlap(three: list[str], examiner: Any) -> None:
    assert ids(export(examiner, limit=2)) == three[:2]
    assert ids(export(examiner, limit=2, offset=2)) == three[2:]
    assert ids(export(examiner, offset=3)) == []


def walked(client: Any, *, limit: int) -> list[str]:
    """Return the payments of all pages, from cursor to cursor."""
    found: list[str] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        page = export(client, **query)
        found += ids(page)
        if "nextCursor" not in page:
            return found
        query["cursor"] = page["nextCursor"]


def test_a_cursor_leads_through_all_records(three: list[str], examiner: Any) -> None:
    assert walked(examiner, limit=1) == three


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_cursor_parts_records_that_were_made_at_one_moment(
    settled: Callable[..., str], recorded: Callable[..., str], examiner: Any, limit: int
) -> None:
    moment = now()
    first = [settled(tmsReference=f"INV-{number}") for number in range(2)]
    first.append(recorded(moment, tmsReference="INV-2"))  # it records all that waits
    later = recorded(moment + timedelta(microseconds=1), tmsReference="INV-3")
    assert TravelRecord.objects.filter(created_at=moment).count() == len(first)
    assert walked(examiner, limit=limit) == [*first, later]


def test_status_and_time_select(three: list[str], examiner: Any) -> None:
    assert ids(export(examiner, status="STORED")) == [three[1]]
    assert ids(export(examiner, status="EXEMPT")) == [three[0], three[2]]
    at = int(TravelRecord.objects.get(payment_id=three[1]).created_at.timestamp())
    assert ids(export(examiner, **{"from": at, "to": at})) == [three[1]]
    assert ids(export(examiner, **{"from": at + 1})) == [three[2]]
    assert ids(export(examiner, to=at - 1)) == [three[0]]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 501},
        {"limit": "many"},
        {"offset": -1},
        {"offset": 100_001},
        {"status": "LOST"},
        {"cursor": "anything"},
        {"from": -1},
        {"from": "yesterday"},
        {"until": 1},
    ],
)
def test_a_query_that_is_none_is_refused(db: None, examiner: Any, query: dict[str, Any]) -> None:
    export(examiner, answers=400, **query)


@pytest.mark.parametrize("limit", [1, 500])
def test_a_limit_at_its_bounds_is_taken(db: None, examiner: Any, limit: int) -> None:
    assert export(examiner, limit=limit)["limit"] == limit


def test_an_institution_may_not_export(db: None) -> None:
    assert key_client("Alder", "INSTITUTION").get(EXPORT).status_code == 403


def test_a_record_that_was_altered_is_withheld_and_counted(three: Any, examiner: Any) -> None:
    TravelRecord.objects.filter(payment_id=three[1]).update(amount_usd=1)
    page = export(examiner)
    assert ids(page) == [three[0], three[2]]
    assert page["withheld"] == 1


def test_a_page_costs_the_same_for_any_number(
    three: Any, examiner: Any, django_assert_num_queries: Any
) -> None:
    export(examiner)
    with django_assert_num_queries(4):
        export(examiner, limit=1)
    with django_assert_num_queries(4):
        export(examiner)
