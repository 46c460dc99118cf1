"""The queue and the case page as officers see them."""

from datetime import timedelta
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.admin import cases as admin
from apps.backoffice.review.models import Case
from apps.backoffice.review.views import queue_page
from apps.platform.desk.list_pages import PAGE
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    person,
)

QUEUE = "/admin/review/case/"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    monkeypatch.setattr(admin, "now", lambda: NOON)


def page(one: Case) -> str:
    return f"{QUEUE}{one.pk}/"


def decision(**given: str) -> dict[str, str]:
    return {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE} | given


def test_the_queue_lists_who_why_risk_amount_time_and_officer_due_first() -> None:
    low, high = case("low", risk="LOW", party="Zoe Late"), case("high", risk="HIGH")
    olivia = person("olivia", OFFICER)
    services.claim_case(case=high, by=olivia, now=NOON)
    html = check_page(at_desk(olivia).get(QUEUE))
    assert html.index("Chen Haddad") < html.index("Zoe Late")
    for shown in ("resembles a listed one", "25,245.30 USD", "4 h 0 min left", "olivia", ">High<"):
        assert shown in html
    assert low.due_at - NOON == timedelta(days=5)  # three working days, with a weekend


def test_views_count_what_they_hold() -> None:
    samir, olivia = person("samir", SENIOR), person("olivia", OFFICER)
    first = case("1", risk="HIGH")
    case("2")
    case("3", now=NOON - timedelta(days=5))
    services.claim_case(case=case("4"), by=samir, now=NOON)
    services.decide_case(
        case=first, by=olivia, outcome="REJECT", reason_code="LISTED_PARTY", note=NOTE, now=NOON
    )
    services.decide_case(
        case=case("5"), by=olivia, outcome="REJECT", reason_code="OTHER", note=NOTE, now=NOON
    )
    assert queue_page.count_queue_views(samir, NOON) == {
        "open": 3, "late": 1, "mine": 1, "confirm": 1, "second": 1, "decided": 1,
        "escalated": 0, "snoozed": 0,
    }  # fmt: skip
    assert "confirm" not in queue_page.count_queue_views(olivia, NOON)
    html = check_page(at_desk(samir).get(f"{QUEUE}?view=decided"))
    assert html.count(">Chen Haddad</a>") == 1 and "Rejected" in html


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("haddad", True),
        ("HADDAD chen", True),
        ("Àddad", True),
        ("0xABcd", True),
        ("549300abcdefghijkl12", True),
        ("tms-77", True),
        ("tms-78", False),
        ("nobody", False),
    ],
)
def test_search_finds_party_wallet_lei_and_reference(words: str, found: bool) -> None:
    case("1", party="Châlid Haddad", wallet="0xabCD", lei="549300ABCDEFGHIJKL12",
         reference="TMS-77-a") if words != "HADDAD chen" else case("1")  # fmt: skip
    html = check_page(at_desk(person("olivia", OFFICER)).get(QUEUE, {"q": words}))
    assert ("Haddad</a>" in html) is found


def test_a_search_looks_at_decided_cases_too() -> None:
    olivia = person("olivia", OFFICER)
    services.decide_case(
        case=case(), by=olivia, outcome="REJECT", reason_code="OTHER", note=NOTE, now=NOON
    )
    desk = at_desk(olivia)
    assert "Chen Haddad" not in check_page(desk.get(QUEUE))
    assert "Chen Haddad" in check_page(desk.get(QUEUE, {"q": "haddad"}))


def test_pages_follow_each_other_without_a_gap_or_a_repeat() -> None:
    for number in range(PAGE + 7):
        case(str(number), party=f"Party {number:03d}")  # all due at the same moment
    desk = at_desk(person("olivia", OFFICER))
    first = check_page(desk.get(QUEUE))
    following = first.split('<a href="?view=open&amp;after=')[1].split('"')[0]
    second = check_page(desk.get(f"{QUEUE}?view=open&after={following}"))
    seen = [n for n in range(PAGE + 7) if f"Party {n:03d}" in first]
    rest = [n for n in range(PAGE + 7) if f"Party {n:03d}" in second]
    assert len(seen) == PAGE and seen + rest == list(range(PAGE + 7))
    assert "after=" not in second


@pytest.mark.parametrize("after", ["x", "~", "2026~1", "2026-11-20T12:00:00~1", "~9" * 30])
def test_a_strange_address_shows_the_first_page(after: str) -> None:
    case()
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(
        desk.get(QUEUE, {"after": after, "view": "strange", "risk": "?", "kind": "?"})
    )
    assert "Chen Haddad" in html


def test_the_case_page_shows_rules_matches_chain_facts_and_timeline() -> None:
    one, other = case("1"), case("2", now=NOON - timedelta(days=3))
    html = check_page(at_desk(person("olivia", OFFICER)).get(page(one)))
    for shown in (
        "Why this case needs review", "1 §2.7 rule 3 partial", "one letter",
        "only in the listed name",
        "Birth date: differs", "SDGT", "Haddad Trading", "version 12", "0.6123",
        "Opened", "not sealed yet",
        one.facts_digest(), f"Case {other.pk}",
    ):  # fmt: skip
        assert shown in html, shown


def test_what_a_caller_sent_is_escaped() -> None:
    new_case = case(party="<script>alert(1)</script>", reference='"><b onclick=x>')
    desk = at_desk(person("olivia", OFFICER))
    check_page(desk.get(page(new_case)))
    check_page(desk.get(QUEUE))
    check_page(desk.get(QUEUE, {"q": '"><script>alert(1)</script>'}))


def test_deciding_leads_to_the_next_due_case() -> None:
    first, following = case("1", risk="MEDIUM"), case("2", risk="LOW")
    desk = at_desk(person("olivia", OFFICER))
    answer = desk.post(f"{page(first)}decide/", decision())
    assert answer.headers["Location"] == page(following)
    assert "approved" in check_page(desk.get(page(following)))
    last = desk.post(f"{page(following)}decide/", decision())
    assert last.headers["Location"] == QUEUE
    assert "last case" in check_page(desk.get(QUEUE))


def test_a_refused_decision_shows_why_and_keeps_the_note() -> None:
    new_case = case()
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(
        desk.post(f"{page(new_case)}decide/", decision(reason_APPROVE="")), status=400
    )
    assert "Choose a reason" in html and NOTE in html
    html = check_page(
        desk.post(f"{page(new_case)}decide/", decision(note="  too few  ")), status=400
    )
    assert "at least 10 characters" in html
    new_case.refresh_from_db()
    assert new_case.status == "OPEN"


def test_take_next_claims_what_is_due_first_and_free() -> None:
    olivia, ben = person("olivia", OFFICER), person("ben", OFFICER)
    case("1", risk="LOW")
    second = case("2", risk="MEDIUM")
    services.claim_case(case=case("3", risk="HIGH"), by=ben, now=NOON)
    answer = at_desk(olivia).post(f"{QUEUE}next/")
    assert answer.headers["Location"] == page(second)
    second.refresh_from_db()
    assert second.holder(NOON) == olivia


def test_take_next_says_when_nothing_waits() -> None:
    desk = at_desk(person("olivia", OFFICER))
    assert desk.post(f"{QUEUE}next/").headers["Location"] == QUEUE
    assert "No cases are waiting" in check_page(desk.get(QUEUE))


def test_a_case_held_by_another_shows_no_decision_box() -> None:
    new_case = case()
    ben = person("ben", OFFICER)
    services.claim_case(case=new_case, by=ben, now=NOON)
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(desk.get(page(new_case)))
    assert "<strong>ben</strong> has claimed this case" in html and 'name="outcome"' not in html
    html = check_page(desk.post(f"{page(new_case)}decide/", decision()), status=409)
    assert "ben has claimed this case until 12:30 UTC" in html


def test_claim_and_give_back_through_the_page() -> None:
    new_case = case()
    desk = at_desk(person("olivia", OFFICER))
    assert desk.post(f"{page(new_case)}claim/").headers["Location"] == page(new_case)
    html = check_page(desk.get(page(new_case)))
    assert "You have claimed this case until 12:30 UTC" in html
    desk.post(f"{page(new_case)}release/")
    assert "Claim for 30 minutes" in check_page(desk.get(page(new_case)))
    assert "Your claim on this case has ended." in check_page(
        desk.post(f"{page(new_case)}release/"), status=409
    )


def test_the_second_officer_sees_the_first_decision_and_confirms_it() -> None:
    new_case = case(risk="HIGH")
    olivia, samir = at_desk(person("olivia", OFFICER)), at_desk(person("samir", SENIOR))
    olivia.post(f"{page(new_case)}decide/", decision())
    html = check_page(olivia.get(page(new_case)))
    assert "another officer must confirm" in html and "/confirm/" not in html
    html = check_page(samir.get(page(new_case)))
    assert "olivia decided: approved" in html and NOTE in html
    given = {"proposed": "APPROVE", "reason": "NAME_ONLY", "note": NOTE}
    assert samir.post(f"{page(new_case)}confirm/", given).status_code == 302
    html = check_page(samir.get(page(new_case)))
    assert "by olivia, confirmed by samir" in html


def test_the_second_officer_may_return_the_case() -> None:
    new_case = case(risk="HIGH")
    olivia, samir = at_desk(person("olivia", OFFICER)), at_desk(person("samir", SENIOR))
    olivia.post(f"{page(new_case)}decide/", decision())
    assert check_page(samir.post(f"{page(new_case)}return/", {"note": "short"}), status=400)
    samir.post(f"{page(new_case)}return/", {"note": "The passport is missing."})
    html = check_page(olivia.get(page(new_case)))
    assert "Returned by the second officer" in html and 'name="outcome"' in html


def test_a_confirmation_of_what_was_not_read_is_refused() -> None:
    new_case = case(risk="HIGH")
    at_desk(person("olivia", OFFICER)).post(f"{page(new_case)}decide/", decision())
    given = {"proposed": "REJECT", "reason": "NAME_ONLY", "note": NOTE}
    html = check_page(
        at_desk(person("samir", SENIOR)).post(f"{page(new_case)}confirm/", given), status=409
    )
    assert "changed in the meantime" in html


def test_an_altered_case_says_so_and_offers_no_decision() -> None:
    new_case = case()
    Case.objects.filter(pk=new_case.pk).update(party="Somebody Else")
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(desk.get(page(new_case)))
    assert "was altered" in html and 'name="outcome"' not in html
    html = check_page(desk.post(f"{page(new_case)}decide/", decision()), status=409)
    assert "no longer matches" in html


@pytest.mark.parametrize("step", ["claim", "release", "decide", "confirm", "return"])
def test_steps_are_posts_with_a_token(step: str) -> None:
    new_case = case()
    olivia = person("olivia", OFFICER)
    assert at_desk(olivia).get(f"{page(new_case)}{step}/").status_code == 405
    desk = at_desk(olivia)
    desk.handler.enforce_csrf_checks = True
    assert desk.post(f"{page(new_case)}{step}/", decision()).status_code == 403
    new_case.refresh_from_db()
    assert (new_case.status, new_case.claimed_by) == ("OPEN", None)


def test_a_case_has_no_pages_that_add_change_or_delete_it() -> None:
    new_case = case()
    desk = at_desk(person("root", superuser=True))
    for address in (
        "add/",
        f"{new_case.pk}/delete/",
        f"{new_case.pk}/change/",
        f"{new_case.pk}/history/",
    ):
        assert desk.get(f"{QUEUE}{address}").status_code in (301, 302, 404)
        assert desk.post(f"{QUEUE}{address}").status_code in (301, 302, 404)
    assert Case.objects.count() == 1


def test_an_unknown_case_is_404() -> None:
    assert at_desk(person("olivia", OFFICER)).get(f"{QUEUE}99999/").status_code == 404


def test_the_queue_takes_as_many_queries_for_fifty_cases_as_for_one(
    django_assert_num_queries: Any,
) -> None:
    case("0")
    desk = at_desk(person("samir", SENIOR))
    desk.get(QUEUE)
    # session, user and its record, page, filters, tenants, two of counts, and the officers
    # whom a senior may assign to
    with django_assert_num_queries(10):
        desk.get(QUEUE)
    for number in range(1, PAGE + 3):
        case(str(number), owner=f"account:{number}")
    with django_assert_num_queries(10):
        desk.get(QUEUE)


def test_the_case_page_takes_two_queries_more_for_all_other_cases_of_the_party(
    django_assert_num_queries: Any,
) -> None:
    new_case = case("0")
    samir = person("samir", SENIOR)
    desk = at_desk(samir)
    desk.get(page(new_case))
    # session, user and its record, case, tenants, events, seals, other cases of the party,
    # merged ones, those of the same listed party, the stamp of its form, officers, and one that
    # logs who read it
    with django_assert_num_queries(13):
        desk.get(page(new_case))
    for number in range(1, 9):
        case(str(number))
        services.claim_case(case=new_case, by=samir, now=NOON)
        services.release_case(case=new_case, by=samir, now=NOON)
    # and the decisions on those, and what is recorded of all of them
    with django_assert_num_queries(15):
        desk.get(page(new_case))
    for number in range(1, 9):
        approve(Case.objects.get(ref=str(number)), samir)
    with django_assert_num_queries(15):
        desk.get(page(new_case))


def test_the_home_page_shows_the_figures_of_the_reader() -> None:
    case("1", risk="HIGH")
    html = check_page(at_desk(person("samir", SENIOR)).get("/admin/"))
    assert "<b>1</b> Open" in html and "Needs my approval" in html
    html = check_page(at_desk(person("otto", "Operator")).get("/admin/"))
    assert "Failed jobs" in html and "view=late" not in html
