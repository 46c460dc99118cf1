"""What a merge may not go round: seniors, reasons, the second officer and the due time."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.integrity import verify_cases
from apps.backoffice.review.models import Case
from tests.review import sample_case_type
from tests.review.merges import APPLIED, merge
from tests.review.people import NOON, NOTE, approve, at_desk, case, confirm

pytestmark = pytest.mark.usefixtures("decisions_recorded")


COUNTRY = [{"ref": sample_case_type.COUNTRY, "sentence": "The country is watched."}]
SMALL = {"amount": Decimal(5)}


def kind_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the reason NAME_ONLY answer a resemblance alone."""
    names = [
        replace(one, rules=frozenset({sample_case_type.RESEMBLES}))
        if one.code == "NAME_ONLY"
        else one
        for one in sample_case_type.SCREEN.reasons["APPROVE"]
    ]
    sample_case_type.use(
        monkeypatch, reasons=dict(sample_case_type.SCREEN.reasons) | {"APPROVE": tuple(names)}
    )


def escalated(one: Case, by: User) -> Case:
    return services.escalate_case(case=one, by=by, note=NOTE, now=NOON)


def test_an_escalated_case_is_not_merged_away_by_a_junior(olivia: User, samir: User) -> None:
    one, other, read = case("1"), case("2"), case("3")
    passed = escalated(one, olivia)
    for duplicate, into in ((passed, other), (other, passed)):
        with pytest.raises(services.StepNotAllowed, match="senior officer must decide"):
            merge(duplicate, into, olivia)
    escalated(Case.objects.get(pk=read.pk), olivia)
    with pytest.raises(services.StepNotAllowed):  # a page that was read before the escalation
        merge(read, other, olivia)
    with pytest.raises(services.CasesNotMergeable, match="merge that one into this"):
        merge(passed, other, samir)
    assert merge(other, passed, samir).merged_into == passed
    with pytest.raises(services.StepNotAllowed):
        approve(Case.objects.get(pk=passed.pk), olivia)


def test_what_a_senior_merged_into_an_escalated_case_is_not_split_off_by_a_junior(
    olivia: User, samir: User
) -> None:
    twin = merge(case("2"), escalated(case("1"), olivia), samir)
    with pytest.raises(services.StepNotAllowed):
        services.split_merged_case(case=twin, by=olivia, now=NOON)
    assert services.split_merged_case(case=twin, by=samir, now=NOON).merged_into is None


def test_a_reason_must_fit_each_case_that_it_decides(
    olivia: User, samir: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind_by_rule(monkeypatch)
    one, twin = case("1", reasons=COUNTRY, **SMALL), case("2", **SMALL)
    merge(twin, one, olivia)
    with pytest.raises(services.InvalidDecision, match=f"also fits case {twin.pk}") as caught:
        approve(one, olivia, reason_code="COUNTRY_EDD")
    assert [error["field"] for error in caught.value.errors] == ["reason_code"]
    assert "COUNTRY_EDD" not in at_desk(olivia).get(f"/admin/review/case/{one.pk}/").text
    twin.refresh_from_db()
    assert twin.status == "OPEN"
    approve(one, olivia, reason_code="OTHER")
    twin.refresh_from_db()
    assert (twin.status, twin.reason_code) == ("DECIDED", "OTHER")


def test_the_second_officers_reason_must_fit_each_case_too(
    olivia: User, samir: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind_by_rule(monkeypatch)
    one, twin = case("1", reasons=COUNTRY, risk="HIGH"), case("2")
    merge(twin, one, olivia)
    waiting = approve(one, olivia, reason_code="OTHER")
    with pytest.raises(services.InvalidDecision, match=f"also fits case {twin.pk}"):
        confirm(waiting, samir, reason_code="COUNTRY_EDD")
    assert confirm(waiting, samir, reason_code="OTHER").status == "DECIDED"


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ({"amount": Decimal(600_000)}, {"amount": Decimal(400_000)}, "AWAITING_SECOND"),
        ({"amount": Decimal(600_000)}, {"amount": Decimal("399999.99")}, "DECIDED"),
        ({"amount": Decimal(5)}, {"amount": None, "currency": ""}, "AWAITING_SECOND"),
        (SMALL, SMALL | {"entity_key": "ofac-sdn:another"}, "AWAITING_SECOND"),
        (SMALL, SMALL | {"entity_key": ""}, "DECIDED"),
    ],
)
def test_duplicates_are_approved_by_two_where_their_sum_their_values_or_their_parties_ask(
    olivia: User, first: dict[str, Any], second: dict[str, Any], status: str
) -> None:
    one, twin = case("1", **first), case("2", **second)
    merge(twin, one, olivia)
    assert not one.needs_second
    assert approve(one, olivia).status == status
    twin.refresh_from_db()
    assert twin.status == ("DECIDED" if status == "DECIDED" else "OPEN")


def test_duplicates_that_together_ask_for_two_are_closed_by_two_officers(
    olivia: User, samir: User
) -> None:
    half = {"amount": Decimal(600_000)}
    one, twin = case("1", **half), case("2", **half)
    merge(twin, one, olivia)
    page = at_desk(olivia).get(f"/admin/review/case/{one.pk}/").text
    assert "this case needs a second officer to confirm an approval" in page
    waiting = approve(one, olivia)
    assert APPLIED == []
    page = at_desk(samir).get(f"/admin/review/case/{one.pk}/").text
    assert "clear it together with its duplicates" in page
    assert confirm(waiting, samir).status == "DECIDED" and len(APPLIED) == 2
    twin.refresh_from_db()
    assert (twin.status, twin.first_by, twin.second_by) == ("DECIDED", olivia, samir)
    assert list(verify_cases(lambda done: None)) == []


def test_duplicates_are_refused_by_one_officer(olivia: User) -> None:
    half = {"amount": Decimal(600_000)}
    new_case = case("1", **half)
    merge(case("2", **half), new_case, olivia)
    assert approve(new_case, olivia, outcome="REJECT", reason_code="OTHER").status == "DECIDED"


def test_the_earlier_due_time_counts_for_duplicates(olivia: User) -> None:
    new_case = case("1", risk="LOW")
    early = case("2")
    merge(early, new_case, olivia)
    new_case.refresh_from_db()
    assert new_case.due_at == early.due_at
    late = case("3", risk="LOW")
    merge(late, new_case, olivia)
    new_case.refresh_from_db()
    assert new_case.due_at == early.due_at
    assert services.escalate_overdue_cases(now=early.due_at + timedelta(seconds=1)) == 1
    new_case.refresh_from_db()
    assert new_case.escalation == "OVERDUE" and list(verify_cases(lambda done: None)) == []
