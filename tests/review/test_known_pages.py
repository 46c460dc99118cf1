"""The register of known false positives, and the page of one with its history and steps."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.backoffice.review.models import KnownEvent, KnownFalsePositive
from apps.backoffice.review.selectors.pending_known_false_positives import list_waiting_known
from apps.backoffice.review.selectors.pending_known_false_positives import (
    list_waiting_known as waits,
)
from apps.backoffice.review.services import known_false_positive_decisions
from apps.platform.desk.list_pages import PAGE
from tests.review import sample_known_false_positives
from tests.review.people import NOON, NOTE, at_desk, case, check_page
from tests.review.sample_known_false_positives import WHY, in_force, propose

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lists")]
REGISTER = "/admin/review/knownfalsepositive/"


def page(known: KnownFalsePositive, user: User) -> str:
    return check_page(at_desk(user).get(f"{REGISTER}{known.pk}/"))


def post(known: KnownFalsePositive, step: str, user: User, **given: str) -> Any:
    return at_desk(user).post(f"{REGISTER}{known.pk}/{step}/", given)


def test_a_senior_reads_why_and_approves_it(olivia: User, samir: User) -> None:
    false_positive = propose(olivia)
    html = page(false_positive, samir)
    for shown in (WHY, "only a common name agrees", "Case", "20 Nov 2027", 'value="approve"'):
        assert shown in html, shown
    assert post(false_positive, "decide", samir, decision="approve", note=NOTE).status_code == 302
    html = page(false_positive, samir)
    assert "In force" in check_page(at_desk(samir).get(REGISTER)) and NOTE in html
    assert 'value="approve"' not in html


def test_what_was_compared_stands_where_it_is_approved(olivia: User, samir: User) -> None:
    evidence = dict(case("0").evidence)
    compared = [
        {"what": what, "label": what, "asked": "Chen Haddad", "listed": ["HADAD, Chen Ali"],
         "verdict": "RESEMBLES", "words": "resembles, 61 %"}
        for what in ("Name", "Birth date")
    ]  # fmt: skip
    match = evidence["matches"][0] | {
        "key": sample_known_false_positives.ENTITY,
        "compared": compared,
    }
    asked = {"payment": [{"label": "Payment", "value": "contractor"}], "party": []}
    false_positive = propose(olivia, evidence=evidence | {"matches": [match], "request": asked})
    html = page(false_positive, samir)
    for shown in (
        'class="versus"', "resembles, 61 %", "61 %", "contractor",
        f"/admin/review/case/{false_positive.case_id}/", 'minlength="10"',
    ):  # fmt: skip
        assert shown in html, shown


def test_who_approves_writes_why(olivia: User, samir: User) -> None:
    false_positive = propose(olivia)
    for note in ("", "ok"):
        html = check_page(post(false_positive, "decide", samir, decision="approve", note=note), 400)
        assert "Write a sentence" in html
    assert KnownFalsePositive.objects.get().state == "PROPOSED"


def test_the_proposer_sees_no_button_and_is_refused(samir: User) -> None:
    false_positive = propose(samir)
    html = page(false_positive, samir)
    assert 'value="approve"' not in html and "Another senior officer" in html
    html = check_page(post(false_positive, "decide", samir, decision="approve"), 409)
    assert "a different officer must decide" in html
    assert KnownFalsePositive.objects.get().state == "PROPOSED"


def test_a_refused_step_keeps_what_was_typed(olivia: User, samir: User) -> None:
    false_positive = propose(olivia)
    assert "Write a sentence" in check_page(
        post(false_positive, "decide", samir, decision="reject"), 400
    )
    false_positive = in_force(olivia, samir, "2", owner="account:2")
    html = check_page(post(false_positive, "extend", olivia, until="2099-01-01", note=WHY), 400)
    assert "within 2 years" in html and f">{WHY}</textarea>" in html and "2099-01-01" in html


def test_a_decision_on_what_the_page_did_not_show_is_refused(olivia: User, samir: User) -> None:
    false_positive = in_force(olivia, samir)
    later = date(2028, 6, 1)
    known_false_positive_decisions.request_known_extension(
        known=false_positive, by=olivia, until=later, note=NOTE, now=NOON
    )
    assert post(false_positive, "decide", samir, decision="approve", asked="").status_code == 409
    assert (
        post(false_positive, "decide", samir, decision="approve", asked="2028-05-01").status_code
        == 409
    )
    assert "currently valid through 20 Nov 2027" in page(false_positive, samir)
    assert (
        post(
            false_positive,
            "decide",
            samir,
            decision="approve",
            asked=later.isoformat(),
            note=NOTE,
        ).status_code
        == 302
    )
    assert KnownFalsePositive.objects.get().expires_on == later


def test_an_officer_ends_it_and_asks_for_longer(olivia: User, samir: User) -> None:
    false_positive = in_force(olivia, samir)
    assert post(false_positive, "extend", olivia, until="2028-02-01", note=NOTE).status_code == 302
    assert "Extension pending" in page(false_positive, olivia)
    assert post(false_positive, "end", olivia, note="They share an address.").status_code == 302
    html = page(false_positive, olivia)
    assert "Ended by olivia" in html.replace("</strong>", "") and "They share an address." in html
    assert 'value="approve"' not in page(false_positive, samir)


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("stands=waits", {"2", "4"}),
        ("stands=IN_FORCE", {"1", "4"}),
        ("stands=ENDED", {"3"}),
        ("stands=EXPIRED", {"5"}),
        ("stands=nonsense", {"1", "2", "3", "4", "5"}),
        ("owner=account:2", {"2"}),
        ("q=haddad+chen", {"1", "2", "3", "4", "5"}),
        ("q=hadad,+chen+ali", {"1", "2", "3", "4", "5"}),
        ("q=nobody", set()),
        ("q=ofac-123&stands=ENDED", {"3"}),
    ],
)
def test_the_register_is_filtered_and_searched(
    olivia: User, samir: User, query: str, shown: set[str]
) -> None:
    day = timedelta(days=1)
    made = {
        "1": in_force(olivia, samir),
        "2": propose(olivia, "2", owner="account:2"),
        "3": in_force(olivia, samir, "3", owner="account:3"),
        "4": in_force(olivia, samir, "4", owner="account:4"),
        "5": in_force(
            olivia, samir, "5", owner="account:5", now=NOON - 9 * day,
            until=NOON.date() - day,
        ),
    }  # fmt: skip
    known_false_positive_decisions.end_known(known=made["3"], by=olivia, note=NOTE, now=NOON)
    later = {"until": date(2028, 6, 1), "note": NOTE, "now": NOON}
    known_false_positive_decisions.request_known_extension(known=made["4"], by=olivia, **later)
    html = check_page(at_desk(olivia).get(f"{REGISTER}?{query}"))
    assert {name for name, one in made.items() if f'{REGISTER}{one.pk}/"' in html} == shown


def test_fifty_stand_on_a_page_which_takes_as_many_queries_as_one(
    olivia: User, samir: User, django_assert_num_queries: Any
) -> None:
    false_positive = in_force(olivia, samir)
    desk = at_desk(olivia)
    desk.get(REGISTER)
    # session, user and its record, page, clients, clients for the filter with their names,
    # records, and one that logs who read it
    with django_assert_num_queries(8):
        desk.get(REGISTER)
    for number in range(PAGE):
        false_positive.pk, false_positive.pair, false_positive.owner = (
            None,
            f"{number}",
            f"account:{number + 2}",
        )
        false_positive.save(force_insert=True)
    with django_assert_num_queries(8):
        html = check_page(desk.get(REGISTER))
    assert html.count("data-row") == PAGE and "Integrity check failed" in html
    oldest = KnownFalsePositive.objects.order_by("pk")[:1].get()
    following = f"?after={oldest.pk + 1}"
    assert f'href="{following}"' in html
    assert check_page(desk.get(f"{REGISTER}{following}")).count("data-row") == 1


def test_what_waits_stands_among_all_that_needs_a_second_officer(
    olivia: User, samir: User, sofia: User
) -> None:
    proposed = propose(olivia, "1")
    later = in_force(olivia, samir, "2", owner="account:2")
    asked = {"until": date(2028, 6, 1), "note": NOTE, "now": NOON}
    known_false_positive_decisions.request_known_extension(known=later, by=samir, **asked)
    propose(olivia, "3", risk="HIGH", owner="account:3")  # its case waits first
    propose(olivia, "4", owner="account:4", until=date(2026, 11, 21))  # too late by then
    now = NOON + timedelta(days=2)
    mine, hers = (list_waiting_known(user, now) for user in (samir, sofia))
    assert mine is not None and hers is not None and (mine.count(), hers.count()) == (1, 2)
    (row,) = mine.rows(9)
    assert row.by == "olivia" and WHY in row.why and "common name" in row.why
    assert row.changes == (("Valid through", "", "20 Nov 2027"),)
    assert row.address == f"{REGISTER}{proposed.pk}/"
    longer = hers.rows(9)[1]
    assert longer.changes == (("Valid through", "20 Nov 2027", "01 Jun 2028"),)
    assert (longer.by, longer.why) == ("samir", NOTE)


def test_the_history_shows_what_was_recorded_alone(olivia: User, samir: User) -> None:
    false_positive = in_force(olivia, samir)
    assert KnownEvent.objects.count() == 2
    html = page(false_positive, samir)
    assert html.count("<strong>Proposed</strong>") == 1 and "Until 20 Nov 2027." in html


def test_what_waits_is_counted_without_reading_those_that_do_not(olivia: User, samir: User) -> None:
    false_positive = in_force(olivia, samir)
    for number in range(300):
        false_positive.pk, false_positive.pair, false_positive.owner = (
            None,
            f"{number}",
            f"account:{number + 2}",
        )
        false_positive.save(force_insert=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    found = waits(samir, NOON)
    assert found is not None
    with CaptureQueriesContext(connection) as queries:
        assert found.count() == 0
    keyword = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    for query in queries.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"{keyword} {query['sql']}")
            plan = " ".join(str(row) for row in cursor.fetchall())
        assert "known_extension_waits" in plan or "known_state" in plan, plan


def test_an_id_that_names_its_list_is_told_once(olivia: User) -> None:
    false_positive = propose(olivia)
    assert "<small>OFAC SDN:ofac-123</small>" in page(false_positive, olivia)
    false_positive.entity = "sample:sample:kim"
    assert false_positive.listed_id == "sample:kim"
