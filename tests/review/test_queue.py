"""The queue's filters, orders and saved views, and what counting costs."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.access.keys.models import Account
from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.review import services
from apps.backoffice.review.admin import cases as admin
from apps.backoffice.review.case_types import RuleLabel
from apps.backoffice.review.models import Case
from apps.backoffice.review.views import queue_page, today_page
from apps.backoffice.review.views.queue_query import DECISION_TIMES, SORTS, QueueQuery
from apps.platform.desk import list_pages
from apps.platform.desk.home import Tile
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, OFFICER, approve, at_desk, case, check_page, person

QUEUE = "/admin/review/case/"
HOUR = timedelta(hours=1)
GREY = {"ref": "1 §2.7 rule 1, grey", "sentence": "A country is monitored."}
NAME = {"ref": "1 §2.7 rule 3", "sentence": "The name resembles a listed one."}


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    monkeypatch.setattr(admin, "now", lambda: NOON)


def asked(query: dict[str, str]) -> QueueQuery:
    return QueueQuery.read(query, {view.slug for view in queue_page.VIEWS})


def refs(user: User, **query: str) -> list[str]:
    shown_queue = queue_page.build_queue_page(user=user, query=asked(query), now=NOON)
    return [row.case.ref for row in shown_queue.rows]


def test_filters_count_what_their_choice_would_show(olivia: User) -> None:
    account = Account.objects.create(name="Bob Bank", created_at=NOON)
    bob = f"account:{account.pk}"
    case("1", reasons=[GREY, NAME], owner="account:77")
    case("2", reasons=[GREY], risk="HIGH", owner="account:77")
    case("3", reasons=[NAME], risk="HIGH", owner=bob)
    shown_queue = queue_page.build_queue_page(user=olivia, query=asked({"risk": "HIGH"}), now=NOON)
    counted = {
        name: {option.label: option.count for option in options}
        for name, _, options in shown_queue.filters
    }
    assert counted["kind"] == {"Flagged screen": 2}
    assert counted["risk"] == {"Low risk": 0, "Medium risk": 1, "High risk": 2}
    assert counted["rule"] == {GREY["ref"]: 1, NAME["ref"]: 1}
    assert counted["owner"]["Bob Bank"] == 1
    assert [row.case.ref for row in shown_queue.rows] == ["2", "3"]


def test_filters_narrow_by_rule_client_and_listed_party(olivia: User) -> None:
    case("1", reasons=[GREY, NAME]), case("2", reasons=[GREY], owner="account:2", evidence={})
    assert refs(olivia, rule=NAME["ref"]) == ["1"]
    assert refs(olivia, rule="1 §2.7 rule 1") == []  # a whole reference, no part of one
    assert refs(olivia, owner="account:2") == ["2"]
    assert refs(olivia, entity="OFAC SDN:ofac-123") == ["1"]


def test_days_and_times_to_decision_lead_to_their_rows(olivia: User) -> None:
    for ref, hours in (("a", 0.5), ("b", 1), ("c", 72)):
        new_case = case(ref, now=NOON - 100 * HOUR)
        approve(new_case, olivia, now=NOON - 100 * HOUR + hours * HOUR)
    day = (NOON - 100 * HOUR).date().isoformat()
    assert refs(olivia, view="decided", took="0") == ["a"]
    assert refs(olivia, view="decided", took="1") == ["b"]
    assert refs(olivia, view="decided", took="4") == ["c"]
    assert refs(olivia, view="decided", decided=day) == ["b", "a"]
    assert set(refs(olivia, view="all", opened=day)) == {"a", "b", "c"}
    assert refs(olivia, view="decided", since="2026-11-19") == ["c"]
    assert (
        refs(olivia, view="decided", opened="2026-11-21", took=str(len(DECISION_TIMES) - 1)) == []
    )


@pytest.mark.parametrize(
    ("sort", "order"),
    [("due", "cab"), ("newest", "cba"), ("score", "bca"), ("amount", "bac"), ("", "cab")],
)
def test_the_queue_is_ordered_as_asked(olivia: User, sort: str, order: str) -> None:
    case("a", risk="MEDIUM", risk_score=10, amount=Decimal(5))
    case("b", risk="LOW", risk_score=90, amount=Decimal(7), now=NOON + HOUR)
    case("c", risk="HIGH", risk_score=50, amount=None, now=NOON + 2 * HOUR)
    assert "".join(refs(olivia, sort=sort)) == order


@pytest.mark.parametrize("sort", SORTS)
def test_every_order_goes_on_behind_a_page_without_a_gap(
    olivia: User, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_pages, "PAGE", 2)
    for number in range(5):
        amount = None if number < 2 else Decimal(number // 2)
        approve(case(str(number), amount=amount, now=NOON), olivia, now=NOON + number // 2 * HOUR)
    place, seen = "", []
    for _ in range(4):
        queue_query = asked({"view": "decided", "sort": sort, "after": place})
        shown_queue = queue_page.build_queue_page(user=olivia, query=queue_query, now=NOON)
        seen += [row.case.ref for row in shown_queue.rows]
        place = shown_queue.following
        if not place:
            break
    assert sorted(seen) == list("01234")


@pytest.mark.parametrize("place", ["NaN~1", "Infinity~1", "1e99~1", "x~1", "1~", "~"])
@pytest.mark.parametrize("sort", SORTS)
def test_a_place_that_is_none_shows_the_first_page(olivia: User, sort: str, place: str) -> None:
    case()
    assert refs(olivia, sort=sort, after=place) == ["1"]


def test_what_is_aside_assigned_or_merged_has_its_view(olivia: User, samir: User) -> None:
    aside, mine, twin, one = case("aside"), case("mine"), case("twin"), case("one")
    day = timedelta(days=1)
    services.snooze_case(case=aside, by=samir, until=NOON + day, note=NOTE, now=NOON)
    Case.objects.filter(pk=mine.pk).update(assigned_to=olivia)
    services.merge_case(duplicate=twin, into=one, by=samir, note=NOTE, now=NOON)
    assert refs(olivia) == ["mine", "one"]
    assert refs(olivia, view="mine") == ["mine"]
    assert refs(olivia, view="snoozed") == ["aside"]
    assert set(refs(olivia, view="all")) == {"aside", "mine", "twin", "one"}
    assert queue_page.count_queue_views(olivia, NOON)["snoozed"] == 1


def test_seniors_alone_have_the_view_of_what_was_escalated(olivia: User, samir: User) -> None:
    services.escalate_case(case=case(), by=olivia, note=NOTE, now=NOON)
    assert "escalated" not in queue_page.count_queue_views(olivia, NOON)
    assert queue_page.count_queue_views(samir, NOON)["escalated"] == 1
    html = check_page(at_desk(olivia).get(QUEUE, {"view": "escalated"}))
    assert "?view=escalated" not in html


def test_the_address_of_a_page_keeps_what_was_asked() -> None:
    queue_query = asked(
        {"view": "late", "q": "haddad", "risk": "HIGH", "sort": "score", "rule": "A|B"}
    )
    assert queue_query.address() == "?view=late&q=haddad&risk=HIGH&rule=AB&sort=score"
    assert queue_query.address(after="1~2").endswith("&after=1~2")
    assert (
        asked({"kind": "x", "risk": "x", "opened": "x", "took": "9", "sort": "x"}) == QueueQuery()
    )


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="the plan is SQLite's")
def test_counting_reads_the_index_and_no_evidence(samir: User) -> None:
    case()
    late = next(view for view in queue_page.VIEWS if view.slug == "late")
    counted = Case.objects.filter(late.rows(samir, NOON)).values("kind", "risk", "owner")
    assert "COVERING INDEX case_queue" in counted.values("rule_refs").explain()
    seen: list[str] = []
    with connection.execute_wrapper(
        lambda run, sql, params, many, context: (seen.append(sql), run(sql, params, many, context))[
            1
        ]
    ):
        queue_page.count_queue_views(samir, NOON)
    with connection.cursor() as cursor:
        for sql in seen:
            if "staff_staffrecord" in sql:  # what the reader may do
                continue
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}", ["2026-11-20"] * sql.count("%s"))
            assert "COVERING INDEX" in str(cursor.fetchall()), sql


def test_a_user_who_may_not_work_has_no_boxes_to_tick() -> None:
    case()
    assert 'name="case"' not in check_page(at_desk(person("edgar", "Examiner")).get(QUEUE))
    assert 'name="case"' in check_page(at_desk(person("olivia", OFFICER)).get(QUEUE))


def test_a_search_in_one_view_leads_to_all_cases() -> None:
    olivia = person("olivia", OFFICER)
    approve(case(), olivia)
    desk = at_desk(olivia)
    html = check_page(desk.get(QUEUE, {"view": "open", "q": "haddad"}))
    assert "No cases found" in html and '?view=all&amp;q=haddad">search all' in html
    html = check_page(desk.get(QUEUE, {"view": "all", "q": "haddad"}))
    assert "Chen Haddad</a>" in html and "search all" not in html


def test_a_line_says_in_titles_what_it_cuts() -> None:
    name = "A" * 200
    case(party=name, reasons=[GREY, NAME])
    html = check_page(at_desk(person("olivia", OFFICER)).get(QUEUE))
    assert f'title="{name}"' in html
    assert 'title="A country is monitored. The name resembles a listed one."' in html
    assert 'title="25,245.30 USD"' in html and 'title="Unassigned"' in html


def test_a_line_says_who_has_a_case(olivia: User, samir: User) -> None:
    held, given = case("held"), case("given")
    passed, first = case("passed"), case("first", risk="HIGH")
    services.claim_case(case=held, by=samir, now=NOON)
    Case.objects.filter(pk=given.pk).update(assigned_to=olivia)
    services.escalate_case(case=passed, by=olivia, note=NOTE, now=NOON)
    approve(first, olivia)
    shown_queue = queue_page.build_queue_page(user=samir, query=asked({"view": "all"}), now=NOON)
    officer_by_ref = {row.case.ref: row.officer for row in shown_queue.rows}
    assert (
        officer_by_ref["held"].startswith("samir until ")
        and officer_by_ref["given"] == "Assigned to olivia"
    )
    assert officer_by_ref["passed"] == "Escalated"
    assert officer_by_ref["first"] == "Awaiting a second officer; first: olivia"


def test_counts_are_written_with_separators(olivia: User, monkeypatch: pytest.MonkeyPatch) -> None:
    case(reasons=[GREY])
    monkeypatch.setattr(queue_page, "count_queue_views", lambda user, now: {"open": 12400})
    assert "<b>12,400</b>" in check_page(at_desk(olivia).get(QUEUE))
    assert Tile("Open", 12400, "/").shown == "12,400" and Tile("Oldest", "3 d", "/").shown == "3 d"


def test_rules_are_told_in_words_and_an_old_one_by_its_reference(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"ref": "1 §2.7 rule 4", "sentence": "A minister."}
    sample_case_type.use(
        monkeypatch, rules={"1 §2.7 rule 4": RuleLabel("A politically exposed person")}
    )
    case("1", reasons=[known, {"ref": "a rule that left", "sentence": "Once."}])
    shown_queue = queue_page.build_queue_page(user=olivia, query=asked({}), now=NOON)
    rules = next(options for name, _, options in shown_queue.filters if name == "rule")
    assert [option.label for option in rules] == [
        "A politically exposed person",
        "a rule that left",
    ]


def test_a_preview_shows_the_case_and_is_read_as_one(olivia: User) -> None:
    new_case = case()
    desk, address = at_desk(olivia), f"{QUEUE}{case('2').pk}/preview/"
    html = check_page(desk.get(f"{QUEUE}{new_case.pk}/preview/", headers={"X-Preview": "1"}))
    for shown in ("Chen Haddad", "resembles a listed one", "HADAD, Chen Ali", "25,245.30 USD"):
        assert shown in html, shown
    assert "<html" not in html and "<form" not in html
    assert [(e.what, e.ref) for e in ReadEvent.objects.all()] == [("review.case", str(new_case.pk))]
    answer = desk.get(address)  # typed in by hand it leads to the case
    assert (answer.status_code, answer["Location"]) == (302, address.removesuffix("preview/"))
    assert ReadEvent.objects.count() == 1
    assert at_desk(person("otto", "Operator")).get(address).status_code == 403


def test_a_preview_says_that_a_case_was_altered(olivia: User) -> None:
    new_case = case()
    Case.objects.filter(pk=new_case.pk).update(party="Somebody else")
    html = check_page(
        at_desk(olivia).get(f"{QUEUE}{new_case.pk}/preview/", headers={"X-Preview": "1"})
    )
    assert "altered after it was opened" in html


@pytest.mark.parametrize(("rows", "queries"), [(1, 9), (40, 9)])
def test_the_queue_costs_the_same_however_long_it_is(
    olivia: User, rows: int, queries: int, django_assert_num_queries: Any
) -> None:
    for number in range(rows):
        case(str(number), owner=f"account:{number}", evidence={})
    desk = at_desk(olivia)
    desk.get(QUEUE)
    with django_assert_num_queries(queries):
        check_page(desk.get(QUEUE))


def test_shares_by_rule_are_told_in_words_without_what_informs_alone(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {GREY["ref"]: RuleLabel("A grey country"), NAME["ref"]: RuleLabel("Note", informs=True)}
    sample_case_type.use(monkeypatch, rules=words)
    approve(case(reasons=[GREY, NAME]), olivia)
    today = today_page.load_today(user=olivia, now=NOON)
    assert today is not None
    shares = today.bars[-1].bars
    assert [(bar.label, bar.value) for bar in shares] == [("A grey country", "100 % of 1")]
    assert "rule=1+" in shares[0].address
