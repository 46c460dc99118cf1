"""A case tells what is known of its pair: to its own client's cases, and as the ledger has it."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case, DecisionEvent, KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import KnownStatus, load_known_of_case
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_expiry import (
    end_outdated_known_false_positives,
)
from tests.platform.tampering import sql
from tests.review import sample_known_false_positives
from tests.review.people import NOON, approve, at_desk, case, check_page
from tests.review.sample_known_false_positives import (
    ENTITY,
    OTHER,
    UNTIL,
    WHY,
    Lists,
    in_force,
    propose,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lists")]
TABLE = KnownFalsePositive._meta.db_table
DAY = timedelta(days=1)
LEI, OTHER_LEI = "5493001KJTIIGC8Y1R12", "506700AUNEQF0C694855"


def page(one: Case, user: User) -> str:
    return check_page(at_desk(user).get(f"/admin/review/case/{one.pk}/"))


def only(one: Case, now: Any = NOON) -> KnownStatus:
    (found,) = load_known_of_case(one, now=now)
    return found


def test_the_next_case_is_told_who_decided_until_when_and_that_nothing_changed(
    olivia: User, samir: User, ben: User
) -> None:
    known, one = in_force(olivia, samir), case("2")
    html = page(one, ben)
    panel = html[html.index("Earlier decisions") : html.index('id="who"')]
    for shown in (
        "Known false positive", "HADAD, Chen Ali (OFAC SDN)", "proposed by olivia",
        "confirmed by samir on 20 Nov 2026", "until 20 Nov 2027", "only a common name agrees",
        "The listed entry is unchanged since.", f"/admin/review/knownfalsepositive/{known.pk}/",
    ):  # fmt: skip
        assert shown in panel, shown
    assert Case.objects.get(pk=one.pk).status == "OPEN"


def test_one_that_nobody_approved_yet_is_told_as_proposed(olivia: User) -> None:
    propose(olivia)
    assert only(case("2")).standing == "PROPOSED"


@pytest.mark.parametrize(
    ("given", "standing"),
    [
        ({"owner": "account:1"}, "IN_FORCE"),
        ({"owner": "account:2"}, None),
        ({"party": "Haddad, Chen"}, "IN_FORCE"),
        ({"party": "Chen Hadad"}, None),
        ({"entity_key": "x", "evidence": {"matches": []}}, None),
    ],
)
def test_it_is_told_of_this_client_this_party_and_this_listed_one_alone(
    olivia: User, samir: User, given: dict[str, Any], standing: str | None
) -> None:
    in_force(olivia, samir)
    known_statuses = load_known_of_case(case("2", **given), now=NOON)
    assert [one.standing for one in known_statuses] == ([standing] if standing else [])


@pytest.mark.parametrize(
    ("then", "now", "is_told"),
    [("", LEI, True), (LEI, "", True), (LEI, LEI, True), (LEI, OTHER_LEI, False)],
)
def test_another_lei_is_another_party(
    olivia: User, samir: User, then: str, now: str, is_told: bool
) -> None:
    in_force(olivia, samir, lei=then)
    assert bool(load_known_of_case(case("2", lei=now), now=NOON)) is is_told


def test_the_same_lei_is_the_same_party_under_any_name(olivia: User, samir: User) -> None:
    in_force(olivia, samir, lei=LEI)
    assert only(case("2", party="Haddad Trading", lei=LEI)).standing == "IN_FORCE"


@pytest.mark.parametrize(("entry", "standing"), [("c" * 64, "CHANGED"), (None, "LEFT")])
def test_an_entry_that_changed_is_told_before_the_job_finds_it(
    olivia: User, samir: User, lists: Lists, entry: str | None, standing: str
) -> None:
    in_force(olivia, samir)
    lists.now = {ENTITY: entry} if entry else {}
    new_case = case("2")
    assert only(new_case).standing == standing
    assert {"CHANGED": "the entry has changed since", "LEFT": "no longer listed"}[standing] in page(
        new_case, samir
    )
    end_outdated_known_false_positives(now=NOON)
    said = "has changed since" if entry else "no longer on the list"
    assert only(new_case).standing == "WOKEN" and said in only(new_case).sentence


def test_it_is_told_as_expired_on_the_day_after_its_last(olivia: User, samir: User) -> None:
    in_force(olivia, samir, until=date(2026, 11, 22))
    new_case = case("2")
    assert only(new_case, NOON + 2 * DAY).standing == "IN_FORCE"
    assert only(new_case, NOON + 3 * DAY).standing == "EXPIRED"


def test_that_it_was_ended_is_told_with_the_reason(olivia: User, samir: User) -> None:
    false_positive = in_force(olivia, samir)
    known_false_positive_decisions.end_known(
        known=false_positive, by=olivia, note="They moved to his street.", now=NOON
    )
    known_status = only(case("2"))
    assert known_status.standing == "ENDED" and "They moved to his street." in known_status.sentence


@pytest.mark.parametrize(
    "change",
    [
        "state = 'IN_FORCE', decided_by_id = {s}, decided_at = proposed_at",
        "expires_on = '2099-01-01'",
    ],
)
def test_one_that_is_not_as_recorded_is_told_so(olivia: User, samir: User, change: str) -> None:
    propose(olivia)
    sql(f"UPDATE {TABLE} SET {change.format(s=samir.pk)}")
    known_status = only(case("2"))
    assert known_status.standing == "STRANGE" and "confirmed" not in known_status.sentence


def test_what_is_known_of_the_party_otherwise_now_is_told(olivia: User, samir: User) -> None:
    evidence = dict(case("0").evidence)
    born = [{"label": "Birth date", "value": "1980-05-01"}]
    new_case = case("1", evidence=evidence | {"request": {"party": born}})
    fields = {"known": "yes", "known-1": ENTITY, "known_until": UNTIL.isoformat()}
    fields |= {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": WHY}
    at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/decide/", fields)
    other = [{"label": "Birth date", "value": "1961-02-03"}]
    html = page(case("2", evidence=evidence | {"request": {"party": other}}), samir)
    assert "Birth date was 01 May 1980, here it is 03 Feb 1961." in html
    assert "Party details have changed" in html
    assert "Party details have changed" not in page(case("3", evidence=new_case.evidence), samir)


def test_the_decision_records_what_was_told(olivia: User, samir: User, lists: Lists) -> None:
    in_force(olivia, samir)
    one = approve(case("2"), olivia)
    (line,) = DecisionEvent.objects.latest("pk").data["known"]
    assert "confirmed by samir" in line and "unchanged since" in line
    lists.now = {}
    sheet = check_page(at_desk(samir).get(f"/admin/review/case/{one.pk}/evidence/"))
    assert "The listed entry is unchanged since." in sheet


def test_what_agrees_now_and_was_not_given_then_is_warned_of_and_recorded(
    olivia: User, samir: User
) -> None:
    in_force(olivia, samir)
    evidence = dict(case("0").evidence)
    compared = [
        {"what": what, "label": what, "asked": "1961", "listed": ["1961"], "verdict": verdict,
         "words": "so it is"}
        for what, verdict in (("Name", "AGREES"), ("Birth date", "AGREES"), ("LEI", "DIFFERS"))
    ]  # fmt: skip
    match = evidence["matches"][0] | {"key": ENTITY, "compared": compared}
    rows = [{"label": label, "value": "1961"} for label in ("Birth date", "LEI")]
    given = {"matches": [match], "request": {"party": rows}}
    new_case = case("2", evidence=evidence | given)
    said = "Birth date was not given, here it is 1961, which agrees with the listed party."
    html = page(new_case, samir)
    assert said in html and "New information matches" in html
    assert html.count("which agrees with the listed party") == 1  # the LEI does not
    approve(new_case, olivia)
    [line] = DecisionEvent.objects.latest("pk").data["known"]
    assert said in line
    other = {"matches": [match | {"of": "Direct parent"}], "request": {"party": rows}}
    html = page(case("3", evidence=evidence | other), samir)
    assert "which agrees with the listed party" not in html


def test_a_proposal_is_recorded_as_of_the_decision_and_the_sheet_says_how_it_stands(
    olivia: User, samir: User
) -> None:
    false_positive = propose(olivia)
    (line,) = DecisionEvent.objects.latest("pk").data["known"]
    assert line.endswith("At the decision: proposed, not yet confirmed.")
    sample_known_false_positives.confirm(false_positive, samir)
    sheet = check_page(at_desk(samir).get(f"/admin/review/case/{false_positive.case_id}/evidence/"))
    assert "At the decision: proposed, not yet confirmed." in sheet
    now = sheet[sheet.index("at the time of printing") :]
    assert "confirmed by samir on 20 Nov 2026" in now and "A second officer has not" not in sheet


def test_the_preview_tells_it_too(olivia: User, samir: User) -> None:
    in_force(olivia, samir)
    address = f"/admin/review/case/{case('2').pk}/preview/"
    answer = at_desk(olivia).get(address, headers={"X-Preview": "1"})
    assert b"confirmed by samir" in answer.content


def test_telling_takes_three_queries_however_much_was_known_before(
    olivia: User, samir: User, lists: Lists, django_assert_num_queries: Any
) -> None:
    one, none = case("2"), case("3", evidence={})
    with django_assert_num_queries(0):
        assert load_known_of_case(none, now=NOON) == []
    with django_assert_num_queries(1):
        assert load_known_of_case(one, now=NOON) == []
    in_force(olivia, samir)
    lists.asked = 0
    with django_assert_num_queries(3):
        assert len(load_known_of_case(one, now=NOON)) == 1
    for number in range(4, 14):
        KnownFalsePositive.objects.filter(state="IN_FORCE").update(state="ENDED")
        in_force(olivia, samir, str(number))
    lists.asked = 0
    with django_assert_num_queries(3):
        assert len(load_known_of_case(one, now=NOON)) == 1
    assert lists.asked == 1


# --- the decision box ------------------------------------------------------------------


def form(**given: str) -> dict[str, str]:
    ticked = {"known": "yes", "known-1": ENTITY, "known_until": UNTIL.isoformat()}
    decided = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": WHY}
    return {name: value for name, value in (decided | ticked | given).items() if value}


def test_the_box_offers_it_with_all_matches_and_a_year(olivia: User) -> None:
    html = page(case(), olivia)
    assert 'name="known" value="yes" data-key="f">' in html
    assert f'name="known-1" value="{ENTITY}" checked' in html
    assert 'name="known_until"' in html and "data-other" in html


def test_what_stands_already_is_not_offered_again(olivia: User, samir: User) -> None:
    in_force(olivia, samir)
    assert 'name="known-1"' not in page(case("2"), olivia)


def test_an_officer_proposes_it_with_the_decision(olivia: User) -> None:
    new_case = case()
    answer = at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/decide/", form(), follow=True)
    assert "A known false positive was proposed" in check_page(answer)
    false_positive = KnownFalsePositive.objects.get()
    assert (
        false_positive.case,
        false_positive.entity,
        false_positive.expires_on,
        false_positive.proposed_by,
    ) == (
        new_case, ENTITY, UNTIL, olivia,
    )  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [
        {"known": ""},
        {"reason_APPROVE": "OTHER"},
        {"outcome": "REJECT", "reason_REJECT": "LISTED_PARTY"},
    ],
)
def test_without_the_tick_or_with_another_reason_nothing_is_proposed(
    olivia: User, given: dict[str, str]
) -> None:
    new_case = case()
    at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/decide/", form(**given))
    assert Case.objects.get(pk=new_case.pk).status == "DECIDED"
    assert not KnownFalsePositive.objects.exists()


@pytest.mark.parametrize(
    "given",
    [{"known-1": ""}, {"known-1": OTHER}, {"known_until": ""}, {"known_until": "2099-01-01"}],
)
def test_a_form_that_does_not_fit_comes_back_with_what_was_typed(
    olivia: User, given: dict[str, str]
) -> None:
    new_case = case()
    answer = at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/decide/", form(**given))
    html = check_page(answer, 400)
    assert WHY in html and 'name="known" value="yes" data-key="f" checked' in html
    assert Case.objects.get(pk=new_case.pk).status == "OPEN"
    assert not KnownFalsePositive.objects.exists()


def test_what_the_finding_rests_on_is_told_with_its_note(olivia: User, samir: User) -> None:
    in_force(olivia, samir)
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{case('now').pk}/"))
    assert f"<q>{WHY}</q>" in html.split('class="earlier known"')[1].split("</ul>")[0]
