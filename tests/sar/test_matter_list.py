"""The list of the log: a row for each party, page by page, read by an index however long it is."""

import re
from datetime import date
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.backoffice.sar import admin
from apps.backoffice.sar.integrity import verify_matters
from apps.backoffice.sar.models import SarEntry, SarMatter, SarParty
from apps.backoffice.sar.views import log_list
from apps.platform.desk import list_pages
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from tests.review.people import NOON, NOTE, at_desk, check_page, person
from tests.sar.matters import LOG, matter, page, post

TODAY = NOON.date()
VIEWS = list(log_list.VIEWS)


def settle(desk: Client, of: SarEntry) -> None:
    given = {"rationale": NOTE}
    assert post(desk, of, action="NOT_FILED", **given).status_code == 302
    assert post(desk, of, action="OFAC_NONE", seen="1", **given).status_code == 302


def rows(query: dict[str, str], size: int = 50, today: date = TODAY) -> dict[str, Any]:
    with mock.patch.object(list_pages, "PAGE", size):
        return log_list.build_log_context(query=log_list.LogQuery.read(query), today=today)


def refs(found: dict[str, Any]) -> list[str]:
    return [row.lead.matter.entry.ref for row in found["rows"]]


# --- by party -------------------------------------------------------------------------


def test_the_list_has_a_row_for_each_party_with_its_nearest_clock(samir: Client) -> None:
    matter("1", ago=5, sanctions=False), matter("2", ago=40, sanctions=False)
    matter("3", ago=1, party="Ann Lee", sanctions=False)
    html = check_page(samir.get(LOG))
    assert html.count('data-label="Amount"') == 2 and "2 matters of this party" in html
    assert html.index("10 days late") < html.index("Ann Lee")
    assert "Deadlines running <b>3</b>" in html and "9,800.50 EUR" in html


def test_a_party_with_many_matters_has_a_list_of_its_own(samir: Client) -> None:
    for number in range(60):
        matter(str(number), ago=number)
    matter("other", party="Ann Lee")
    html = check_page(samir.get(LOG))
    assert html.count(">No. ") == 5 and "60 matters" in html and ">All 60<" in html
    key = SarEntry.objects.filter(ref="0").get().matter.party_key
    first = check_page(samir.get(f"{LOG}?view=all&party={key}"))
    following = re.search(r'href="([^"]+)">Next 50<', first)
    assert following is not None and first.count('data-label="Amount"') == 50
    alone = check_page(samir.get(f"{LOG}{following[1].replace('&amp;', '&')}"))
    assert alone.count('data-label="Amount"') == 10 and "Ann Lee" not in alone
    assert f'href="?view=all&amp;party={key}">First page<' in alone and "Next 50" not in alone
    assert "Nothing in this view" in check_page(samir.get(f"{LOG}?party=nobody"))
    assert "All matters of this party" in page(samir, SarEntry.objects.get(ref="0"))


def test_the_list_takes_the_same_queries_for_many_parties(
    samir: Client, django_assert_num_queries: Any
) -> None:
    for number in range(60):
        matter(str(number), party=f"Party {number % 20}")
    # two of the session, the record of the account, three counts, parties, matters, payloads, and
    # the read
    with django_assert_num_queries(10):
        samir.get(LOG)


@pytest.mark.parametrize("group", ["Compliance officer", "Examiner", "Operator", "Registrar"])
@pytest.mark.parametrize("query", ["?view=all", "?party={key}", "?view=all&party={key}&after=1"])
def test_grouped_lists_are_nowhere_for_others(db: Any, group: str, query: str) -> None:
    key = matter().matter.party_key
    desk = at_desk(person("somebody", group))
    assert desk.get(f"{LOG}{query.format(key=key)}").status_code == 404


def test_what_is_not_shown_of_a_party_is_counted_up_to_a_bound(
    samir: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_list, "MOST_MATTERS", 8)
    monkeypatch.setattr(log_list, "MOST", 10)
    for number in range(12):
        matter(str(number))
    html = check_page(samir.get(LOG))
    assert "8+ matters of this party" in html and ">All 8+<" in html
    assert "Deadlines running <b>10+</b>" in html and "Settled <b>0</b>" in html
    (tile,) = [
        log_tile
        for log_tile in admin.build_log_tiles(User.objects.get(), NOON)
        if "running" in log_tile.label
    ]
    assert tile.shown == "10+"


def test_a_party_stands_where_its_nearest_clock_puts_it(samir: Client) -> None:
    one, twin = matter("1", ago=40), matter("2", ago=1)
    other = matter("3", ago=20, party="Ann Lee")
    assert refs(rows({})) == ["1", "3"]
    settle(samir, one)  # what is left of the party is due after the other's
    assert refs(rows({})) == ["3", "2"] and refs(rows({"view": "settled"})) == ["1"]
    assert refs(rows({"view": "all"})) == ["3", "2"]
    settle(samir, twin), settle(samir, other)
    assert refs(rows({})) == [] and refs(rows({"view": "settled"})) == ["3", "2"]
    again = matter("4")
    assert refs(rows({"view": "all"})) == ["4", "3"] and refs(rows({})) == ["4"]
    assert SarParty.objects.get(pk=again.matter.party_key).settled
    assert list(verify_matters(lambda done: None)) == []


def test_a_purged_matter_leaves_its_party_and_stands_alone(samir: Client) -> None:
    one, twin = matter("1", ago=40), matter("2")
    sealer.seal_all_ledgers(now=NOON)
    given: dict[str, Any] = {"reason": PurgeReason.ERASURE, "by": "dpo", "now": NOON, "why": "7/26"}
    assert retention.purge_payload(ledger="sar", record_id=one.pk, **given)
    found = rows({"view": "all"})
    assert [(row.party, row.many) for row in found["rows"]] == [
        ("Boris Hadad", 1),
        ("Party purged", 1),
    ]
    assert retention.purge_payload(ledger="sar", record_id=twin.pk, **given)
    assert SarParty.objects.count() == 2 and list(verify_matters(lambda done: None)) == []


# --- page by page ---------------------------------------------------------------------


@pytest.fixture
def many(samir: Client) -> None:
    """Seven parties with three matters each; of every second party one is settled."""
    for number in range(21):
        # several parties are due on the same day
        sar_entry = matter(str(number), ago=number // 3 * 10, party=f"Party {number % 7}")
        if number % 2 and number < 14:
            settle(samir, sar_entry)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_view_goes_on_behind_a_page_without_a_gap(many: None, view: str, size: int) -> None:
    whole, seen, query = refs(rows({"view": view})), [], {"view": view}
    for _ in range(len(whole) // size + 1):
        found = rows(query, size)
        seen += refs(found)
        if not found["next_page"]:
            break
        query["after"] = found["next_page"].split("after=")[1].replace("%7E", "~")
    assert seen == whole and len(set(seen)) == len(seen) > 2


@pytest.mark.parametrize("view", VIEWS)
def test_a_party_goes_on_behind_a_page_without_a_gap(many: None, view: str) -> None:
    query = {"view": view, "party": SarEntry.objects.get(ref="1").matter.party_key}
    whole, seen = refs(rows(query)), []
    for _ in whole:
        found = rows(query, 1)
        seen += refs(found)
        query["after"] = found["next_page"].partition("after=")[2].replace("%7E", "~")
    assert seen == whole and 0 < len(set(seen)) == len(seen) <= 3


@pytest.mark.parametrize("place", ["x", "~", "2026-12-07~", "2026-13-07~1", "~1", "9" * 19, "-1"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_place_that_is_none_shows_the_first_page(db: Any, view: str, place: str) -> None:
    matter()
    SarParty.objects.update(settled=True)
    found = rows({"view": view, "after": place}, today=date(2027, 1, 1))
    assert len(found["rows"]) == (0 if view == "settled" else 1) and not found["next_page"]


# --- what it costs --------------------------------------------------------------------


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the plan is SQLite's")
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("of", ["", "party"])
def test_every_page_is_read_by_an_index_and_nothing_is_sorted(
    many: None, view: str, of: str
) -> None:
    key = SarMatter.objects.order_by("pk")[0].party_key if of else ""
    query = {"view": view, "party": key}
    with CaptureQueriesContext(connection) as first:
        found = rows(query, 1)
    query["after"] = found["next_page"].partition("after=")[2].replace("%7E", "~")
    with CaptureQueriesContext(connection) as second:
        rows(query, 1)
    for one in (*first, *second):
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {one['sql']}")
            steps = [str(step[3]) for step in cursor.fetchall()]
        # a page ends a walk along parties in their order; a bound ends that along what is counted
        ended = ("SCAN sar_sarparty USING INDEX ", "SCAN counted", "SCAN subquery")
        walks = [step for step in steps if step.startswith("SCAN") and not step.startswith(ended)]
        sorts = [step for step in steps if "TEMP B-TREE" in step]
        assert not walks and not sorts, one["sql"]
