"""A party that was found to be the listed one: that stays, is told to all, and asks for two."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.access.keys.models import Account
from apps.backoffice.review import services
from apps.backoffice.review.models import Case, KnownState
from apps.backoffice.review.selectors import prior_decisions as history
from apps.backoffice.review.selectors.known_false_positives import load_known_of_cases
from apps.backoffice.review.selectors.prior_decisions import (
    load_prior_decisions,
    load_prior_decisions_of_cases,
)
from apps.backoffice.review.services.bulk_cases import find_bulk_clear_fault
from apps.backoffice.review.views.approvals import format_amount_totals, list_waiting_clears
from apps.platform.desk.approvals import PendingApproval
from tests.review import sample_case_type, sample_known_false_positives
from tests.review.people import NOON, NOTE, approve, at_desk, case, check_page, confirm

pytestmark = pytest.mark.django_db
FOUND = "True match with this listed party"
PEOPLE = ("olivia", "samir")


def rejected(by: User, ref: str = "true", **given: Any) -> Case:
    """Find the party of a case to be the listed one."""
    return approve(case(ref, **given), by, outcome="REJECT", reason_code="LISTED_PARTY")


def cleared(by: User, second: User, ref: str, hours: int) -> Case:
    """Approve a case as a colleague does later, with a second officer."""
    moment = NOON + timedelta(hours=hours)
    return confirm(approve(case(ref), by, now=moment), second, now=moment)


def page(one: Case, by: User) -> str:
    return check_page(at_desk(by).get(f"/admin/review/case/{one.pk}/"))


def test_a_true_match_stays_told_and_warned_of_whatever_came_after(
    olivia: User, samir: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the true match is older than what is looked at
    monkeypatch.setattr(history, "MOST_DECISIONS", 5)
    true = rejected(olivia)
    later = [cleared(olivia, samir, str(number), number) for number in range(1, 7)]
    now = case("now")
    prior_decisions = load_prior_decisions(now)
    assert [outcome.case.pk for outcome in prior_decisions.outcomes] == [
        *(one.pk for one in reversed(later[3:])), true.pk,
    ]  # fmt: skip
    assert prior_decisions.found is not None and prior_decisions.found.case.pk == true.pk
    assert "the listed party and another party" in prior_decisions.warning or (
        "another party and the listed party" in prior_decisions.warning
    )
    assert f"{FOUND}: case {true.pk}" in page(now, olivia)
    assert load_prior_decisions_of_cases([now])[now.pk].outcomes == prior_decisions.outcomes


def test_that_a_party_is_another_stays_told_after_outcomes_about_else(olivia: User) -> None:
    country = [{"ref": sample_case_type.COUNTRY, "sentence": "A country."}]
    other = approve(case("other"), olivia)
    for number in range(4):
        approve(case(str(number), reasons=country), olivia, reason_code="COUNTRY_EDD")
    rejected(olivia)
    prior_decisions = load_prior_decisions(case("now"))
    assert (
        other.pk in {outcome.case.pk for outcome in prior_decisions.outcomes}
        and "contradict" in prior_decisions.warning
    )


def test_to_approve_a_party_that_was_found_to_be_the_listed_one_takes_two(
    olivia: User, samir: User
) -> None:
    true = rejected(olivia)
    new_case = case("now")
    assert "A second officer must confirm an approval." in page(new_case, olivia)
    waits = approve(new_case, olivia)
    assert waits.status == "AWAITING_SECOND"
    assert f"Case {true.pk}" in page(waits, samir)
    assert confirm(waits, samir).status == "DECIDED"


@pytest.mark.parametrize(
    "given",
    [
        {"entity_key": "OFAC SDN:ofac-999"},
        {"party": "Somebody Else"},
    ],
)
def test_one_officer_is_enough_for_another_listed_party_and_for_another_party(
    given: dict[str, Any], olivia: User
) -> None:
    rejected(olivia)
    assert approve(case("now", **given), olivia).status == "DECIDED"


def test_one_officer_may_reject_it_again(olivia: User) -> None:
    rejected(olivia)
    assert rejected(olivia, "again").status == "DECIDED"


def test_a_duplicate_of_a_party_that_was_found_asks_for_two(olivia: User) -> None:
    rejected(olivia, party="Chen Haddad Trading", lei="5493001KJTIIGC8Y1R12")
    one, twin = case("1"), case("2", lei="5493001KJTIIGC8Y1R12")
    services.merge_case(duplicate=twin, into=one, by=olivia, note=NOTE, now=NOON)
    assert "A second officer must confirm an approval." in page(one, olivia)
    assert approve(one, olivia).status == "AWAITING_SECOND"


# --- several together -----------------------------------------------------------------


def test_cases_of_a_party_that_was_found_are_not_cleared_together(
    olivia: User, samir: User
) -> None:
    true = rejected(olivia)
    cases = [case("1"), case("2")]
    assert find_bulk_clear_fault(cases) == (
        f"Case {true.pk} found Chen Haddad to be this listed party: "
        f"decide case {cases[0].pk} on its own."
    )
    html = check_page(
        at_desk(olivia).get(f"/admin/review/case/bulk/clear/?case={cases[0].pk}&case={cases[1].pk}")
    )
    assert FOUND in html and "decide case" in html and "Propose to clear" not in html
    with pytest.raises(services.BulkNotPossible):
        services.propose_bulk_clear(
            cases=cases, by=olivia, reason_code="NAME_ONLY", note=NOTE, now=NOON
        )


def test_what_was_found_after_a_clear_was_proposed_stops_it(olivia: User, samir: User) -> None:
    cases = [case("1"), case("2")]
    bulk = services.propose_bulk_clear(
        cases=cases, by=olivia, reason_code="NAME_ONLY", note=NOTE, now=NOON
    )
    true = rejected(olivia)
    waits = list_waiting_clears(samir, NOON)
    assert waits is not None
    [line] = waits.rows(5)
    assert isinstance(line, PendingApproval)
    said = (f"Case {cases[0].pk}", "", "An earlier case found this party to be the listed party.")
    assert said in line.changes
    html = check_page(at_desk(samir).get(f"/admin/review/case/bulk/{bulk.pk}/"))
    assert f"{FOUND}: case {true.pk}" in html and "Earlier decisions" in html
    numbers = [one.pk for one in cases]
    with pytest.raises(services.BulkNotPossible, match="Leave it unticked"):
        services.confirm_bulk_clear(
            bulk=bulk, seen=numbers, ticked=numbers, by=samir, reason_code="NAME_ONLY",
            note=NOTE, now=NOON,
        )  # fmt: skip


def test_a_clear_together_tells_of_each_party_what_was_decided_and_is_known(
    olivia: User, samir: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_known_false_positives.use(monkeypatch)
    known = sample_known_false_positives.in_force(olivia, samir, "0")
    cases = [case("1"), case("2", party="Somebody Else")]
    html = check_page(
        at_desk(olivia).get(f"/admin/review/case/bulk/clear/?case={cases[0].pk}&case={cases[1].pk}")
    )
    assert f"Case {known.case_id}</a>" in html and "Known false positive</span>" in html
    told = load_known_of_cases(cases, now=NOON)
    assert [one.known.pk for one in told[cases[0].pk]] == [known.pk]
    assert told[cases[1].pk] == []


# --- known false positives ------------------------------------------------------------


@pytest.mark.parametrize(
    ("approved", "state"), [(True, KnownState.ENDED), (False, KnownState.EXPIRED)]
)
def test_what_is_known_of_a_pair_ends_as_the_party_is_found_to_be_the_listed_one(
    approved: bool, state: str, olivia: User, samir: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_known_false_positives.use(monkeypatch)
    known = (
        sample_known_false_positives.in_force if approved else sample_known_false_positives.propose
    )(*((olivia, samir)[: 1 + approved]))
    other = sample_known_false_positives.in_force(olivia, samir, "other", owner="account:2")
    true = rejected(samir)
    known.refresh_from_db()
    other.refresh_from_db()
    assert (known.state, other.state) == (state, KnownState.IN_FORCE)
    event = known.events.order_by("-pk")[0]
    assert event.by == samir and f"Case {true.pk}: the party was found" in event.data["note"]
    html = page(case("now"), olivia)
    assert "unchanged since" not in html and "party was found to be the listed party" in html


def test_what_is_known_stays_where_the_owner_is_listed_and_where_it_waits_for_a_second(
    olivia: User, samir: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample_known_false_positives.use(monkeypatch)
    known = sample_known_false_positives.in_force(olivia, samir)
    waits = rejected(olivia, risk="HIGH")
    known.refresh_from_db()
    assert known.state == KnownState.IN_FORCE
    confirm(waits, samir, reason_code="LISTED_PARTY")
    known.refresh_from_db()
    assert known.state == KnownState.ENDED


# --- what is on record ----------------------------------------------------------------


def test_a_decision_records_what_was_decided_before_and_warned_of(
    olivia: User, samir: User
) -> None:
    first = approve(case("1"), olivia)
    true = rejected(olivia)
    new_case = case("now")
    done = confirm(approve(new_case, olivia), samir)
    for action in ("PROPOSED", "DECIDED"):
        data = done.events.get(action=action).data
        assert [text.split(":")[0] for text in data["earlier"]] == [
            f"Case {true.pk}", f"Case {first.pk}",
        ]  # fmt: skip
        assert "contradict" in data["warning"]
    for number in range(6):
        cleared(olivia, samir, f"later{number}", 1 + number)
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{new_case.pk}/evidence/"))
    told = html.split("On record for this party at the time of the decision: ")[1].split("</p>")[0]
    assert f"Case {true.pk}: rejected" in told and "contradict" in told
    assert told.count("Case ") == 2


def test_an_outcome_of_another_client_is_told_with_that_client(olivia: User) -> None:
    bank = Account.objects.create(name="Demo Bank", created_at=NOON)
    mine = Account.objects.create(name="Demo Treasury", created_at=NOON)
    approve(case("1", owner=f"account:{bank.pk}"), olivia)
    new_case = case("now", owner=f"account:{mine.pk}")
    panel = page(new_case, olivia).split("Earlier decisions")[1].split("</section>")[0]
    assert "for <strong>Demo Bank</strong>" in panel
    assert (
        "of Demo Bank" in approve(new_case, olivia).events.get(action="DECIDED").data["earlier"][0]
    )
    same = page(case("same", owner=f"account:{bank.pk}"), olivia).split("Earlier decisions")[1]
    assert "Demo Bank</strong>" not in same.split("</section>")[0].split("Case ")[-1]


# --- an LEI of another ----------------------------------------------------------------


def test_an_lei_that_was_found_to_be_anothers_joins_no_parties(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref, lei = "D §4 fail closed, LEI of another", "5493001KJTIIGC8Y1R12"
    sample_case_type.use(monkeypatch, disowns=frozenset({ref}))
    reasons = [{"ref": ref, "sentence": "The LEI is of another company."}]
    wrong = approve(case("1", party="Al Shabab Sports", lei=lei, reasons=reasons), olivia)
    right = case("2", party="Bloomberg Finance L.P.", lei=lei)
    assert (
        load_prior_decisions(right).outcomes == () and not Case.objects.same_party(right).exists()
    )
    assert (
        not Case.objects.same_party(wrong).exists()
        and load_prior_decisions_of_cases([right])[right.pk].outcomes == ()
    )
    approve(case("3", party="Bloomberg Finance", lei=lei), olivia)
    assert [outcome.case.ref for outcome in load_prior_decisions(right).outcomes] == ["3"]


def test_two_parties_without_a_name_are_not_the_same(olivia: User) -> None:
    new_case = case("1", party="", title="x", lei="5493001KJTIIGC8Y1R12")
    case("2", party="", title="y", wallet="0x1")
    assert not Case.objects.same_party(new_case).exists()


def test_what_cases_come_to_says_how_many_have_no_amount() -> None:
    known, unknown = Case(amount=Decimal(5), currency="USD"), Case()
    assert format_amount_totals([known]) == ["5.00 USD"]
    assert format_amount_totals([known, unknown]) == ["5.00 USD", "1 case without an amount"]
    assert format_amount_totals([unknown, unknown]) == ["2 cases without an amount"]
