"""What was decided before of a party stands on the case page, as the ledger has it."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, Status
from apps.backoffice.review.selectors.prior_decisions import load_prior_decisions
from tests.review.people import (
    NOON,
    NOTE,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    confirm,
    person,
)

pytestmark = pytest.mark.django_db
OTHER_PARTY = {"entity_key": "OFAC SDN:ofac-999"}


def ended(ref: str, by: User, outcome: str = "APPROVE", hours: int = 0, **given: Any) -> Case:
    """Open a case and decide it, `hours` after noon."""
    reason = {"APPROVE": "NAME_ONLY", "REJECT": "LISTED_PARTY"}[outcome]
    moment = NOON + timedelta(hours=hours)
    return approve(case(ref, **given), by, outcome=outcome, reason_code=reason, now=moment)


def test_the_last_three_outcomes_of_the_party_are_told_the_newest_first(olivia: User) -> None:
    made = [ended(str(number), olivia, hours=number) for number in range(5)]
    prior_decisions = load_prior_decisions(case("now"))
    assert [outcome.case.pk for outcome in prior_decisions.outcomes] == [
        one.pk for one in reversed(made[2:])
    ]
    first = prior_decisions.outcomes[0].verdict
    assert (first.first, first.decided_at, first.done) == (
        "olivia", NOON + timedelta(hours=4), "Approved",
    )  # fmt: skip
    assert prior_decisions.warning == ""


def test_an_outcome_for_another_reason_tells_its_note_and_others_their_reason_alone(
    olivia: User,
) -> None:
    said = "The invoice names its sister company."
    approve(case("1"), olivia, reason_code="OTHER", note=said)
    approve(case("2"), olivia, note="Seen the passport of the party.")
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{case('now').pk}/"))
    assert said in html and "Other (say which in the note)" in html
    assert "Seen the passport" not in html


def test_older_outcomes_of_the_very_pair_are_told_beside_them(olivia: User) -> None:
    pair = [ended(f"p{number}", olivia, hours=number) for number in range(4)]
    for number in range(12):
        ended(f"o{number}", olivia, hours=5 + number, **OTHER_PARTY)
    outcomes = load_prior_decisions(case("now")).outcomes
    assert [outcome.case.ref for outcome in outcomes if outcome.pair] == ["p3", "p2", "p1"]
    assert [outcome.case.ref for outcome in outcomes if not outcome.pair] == ["o11", "o10", "o9"]
    assert pair[0].pk not in {outcome.case.pk for outcome in outcomes}


@pytest.mark.parametrize(
    ("other", "whose"),
    [
        ({}, "this party against the same listed one"),
        (OTHER_PARTY, "Earlier findings on this party contradict"),
    ],
)
def test_outcomes_that_contradict_are_warned_of(
    olivia: User, other: dict[str, Any], whose: str
) -> None:
    ended("1", olivia)
    ended("2", olivia, "REJECT", hours=1, **other)
    warning = load_prior_decisions(case("now")).warning
    assert whose in warning and "the listed party and another party" in warning


def test_a_politically_exposed_person_that_was_accepted_contradicts_that_it_is_another(
    olivia: User,
) -> None:
    political = [{"ref": "1 §2.7 rule 4", "sentence": "Politically exposed."}]
    approve(case("1", reasons=political), olivia, reason_code="PEP_ACCEPTED")
    ended("2", olivia, hours=1)
    warning = load_prior_decisions(case("now")).warning
    assert warning.endswith("another party and the listed party")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("APPROVE", "NAME_ONLY"), ("REJECT", "COUNTRY_DECLINED")),
        (("REJECT", "LISTED_PARTY"), ("APPROVE", "COUNTRY_EDD")),
        (("REJECT", "LISTED_PARTY"), ("APPROVE", "OTHER")),
    ],
)
def test_outcomes_that_differ_for_reasons_about_else_are_no_contradiction(
    olivia: User, first: tuple[str, str], second: tuple[str, str]
) -> None:
    country = [{"ref": "1 §2.7 rule 1 grey list", "sentence": "A country."}]
    for ref, (outcome, code) in (("1", first), ("2", second)):
        one = approve(case(ref, reasons=country), olivia, outcome=outcome, reason_code=code)
        if one.status != Status.DECIDED:  # after a finding that it is listed another confirms
            confirm(one, person(f"samir{ref}", SENIOR), reason_code=code)
    prior_decisions = load_prior_decisions(case("now"))
    assert len(prior_decisions.outcomes) == 2 and prior_decisions.warning == ""


def test_an_outcome_that_only_the_case_claims_is_not_told(olivia: User) -> None:
    forged = case("1")
    Case.objects.filter(pk=forged.pk).update(
        status=Status.DECIDED, outcome="APPROVE", reason_code="NAME_ONLY", decided_at=NOON,
        first_by=olivia, first_at=NOON, first_outcome="APPROVE",
    )  # fmt: skip
    prior_decisions = load_prior_decisions(case("now"))
    assert prior_decisions.outcomes == () and prior_decisions.undecided[0].strange


def test_a_case_of_nobody_else_has_nothing_before_it(olivia: User) -> None:
    ended("1", olivia, party="Somebody Else", title="x")
    assert load_prior_decisions(case("now")) == load_prior_decisions(
        case("none", party="", title="y")
    )


def test_the_page_tells_officer_reason_and_moment_and_links_to_all(olivia: User) -> None:
    earlier, one = ended("1", olivia), case("now")
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{one.pk}/"))
    panel = html[html.index("Earlier decisions") : html.index('id="who"')]
    for shown in (
        f"Case {earlier.pk}", "by olivia", "20 Nov 2026 12:00 UTC", "same listed party",
        "Another party: only a common name agrees (FATF R.6)", "?view=all&amp;q=Chen%20Haddad",
    ):  # fmt: skip
        assert shown in panel, shown


def test_an_escalated_case_shows_the_question_until_it_is_decided(
    olivia: User, samir: User
) -> None:
    new_case = case()
    services.escalate_case(
        case=new_case, by=olivia, note="Is the stamp on the letter genuine?", now=NOON
    )
    why = check_page(at_desk(samir).get(f"/admin/review/case/{new_case.pk}/")).split(
        "Earlier decisions"
    )[0]
    assert "Escalated by olivia" in why and "Is the stamp on the letter genuine?" in why
    new_case.refresh_from_db()
    approve(new_case, samir, note=NOTE)
    assert "Escalated by" not in check_page(
        at_desk(samir).get(f"/admin/review/case/{new_case.pk}/")
    )


def test_a_case_that_was_returned_shows_why_until_it_is_decided_anew(
    olivia: User, samir: User
) -> None:
    one, desk = case(risk="HIGH"), at_desk(olivia)
    address, said = f"/admin/review/case/{one.pk}/", "The birth date is of another person."

    def why() -> str:
        return check_page(desk.get(address)).split("Earlier decisions")[0]

    first = approve(one, olivia)
    assert "Returned by" not in why()
    services.return_decision(case=first, by=samir, note=said, now=NOON)
    assert "Returned by samir" in why() and said in why()
    one.refresh_from_db()
    approve(one, olivia)
    assert "Returned by" not in why()
