"""Officers and examiners are told what is recorded of a decision, whatever a case's row says."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import exports, services
from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdict, load_verdicts
from apps.platform.desk.export_registry import ExportRequest
from tests.platform.tampering import sql
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, approve, at_desk, case, confirm, person

TABLE = Case._meta.db_table
FLIPPED = "outcome = 'APPROVE', first_outcome = 'APPROVE', reason_code = 'NAME_ONLY'"


@pytest.fixture
def flipped(olivia: User, sofia: User) -> Case:
    """A rejected case whose row says that another officer approved it."""
    one = approve(case(), olivia, outcome="REJECT", reason_code="LISTED_PARTY")
    assert sql(f"UPDATE {TABLE} SET {FLIPPED}, first_by_id = {sofia.pk} WHERE id = %s", one.pk) == 1
    return one


def page(one: Case) -> str:
    return f"/admin/review/case/{one.pk}/"


def said(one: Case) -> Verdict:
    verdict = load_verdict(one, one.events.order_by("pk"))
    assert verdict == load_verdicts([one.pk]).get(one.pk, Verdict())
    return verdict


def exported() -> dict[int, dict[str, Any]]:
    export_request = ExportRequest("cases", NOON - timedelta(days=1), NOON + timedelta(days=1))
    rows = [
        dict(zip(exports.CASES.columns, row, strict=True))
        for row in exports.CASES.rows(export_request)
    ]
    return {row["case"]: row for row in rows}


def test_the_sheet_and_the_page_say_what_is_recorded_of_an_altered_case(flipped: Case) -> None:
    edgar = at_desk(person("edgar", "Examiner"))
    for address in (f"{page(flipped)}evidence/", page(flipped)):
        html = edgar.get(address).text
        assert "<strong>Rejected</strong>" in html and "The party is the listed one" in html
        assert "Approved" not in html and "sofia" not in html.split("Recomputed")[0]


def test_verifying_names_what_was_altered_and_the_sheet_too(flipped: Case) -> None:
    edgar = at_desk(person("edgar", "Examiner"))
    for html in (
        edgar.post(f"{page(flipped)}verify/").text,
        edgar.get(f"{page(flipped)}evidence/").text,
    ):
        assert "Outcome is APPROVE, recorded is REJECT." in html
        assert "Reason_code is NAME_ONLY, recorded is LISTED_PARTY." in html
        assert "First_by is " in html
    other = case("2")
    assert "Verification passed" in edgar.post(f"{page(other)}verify/").text


def test_the_export_says_what_is_recorded(flipped: Case, olivia: User) -> None:
    row = exported()[flipped.pk]
    said = (row["status"], row["outcome"], row["reason"], row["first officer"])
    assert said == ("DECIDED", "REJECT", "LISTED_PARTY", "olivia")
    assert (row["second officer"], row["decided"]) == ("", "2026-11-20T12:00:00.000Z")


def test_a_decision_that_is_not_recorded_is_none(olivia: User) -> None:
    new_case = case()
    sql(
        f"UPDATE {TABLE} SET status = 'DECIDED', decided_at = opened_at, first_at = opened_at, "
        f"first_by_id = {olivia.pk}, {FLIPPED} WHERE id = %s",
        new_case.pk,
    )
    edgar = at_desk(person("edgar", "Examiner"))
    assert "no decision is recorded" in edgar.get(page(new_case)).text
    assert "No decision is recorded" in edgar.get(f"{page(new_case)}evidence/").text
    assert (exported()[new_case.pk]["status"], exported()[new_case.pk]["outcome"]) == ("OPEN", "")


def test_a_duplicate_is_told_as_it_was_decided_by_both_officers(olivia: User, samir: User) -> None:
    one, twin = case("1", risk="HIGH"), case("2")
    services.merge_case(duplicate=twin, into=one, by=olivia, note=NOTE, now=NOON)
    waiting = approve(one, olivia)
    verdict = said(one)
    assert (verdict.status, verdict.outcome, verdict.first) == ("AWAITING_SECOND", "", "olivia")
    assert said(twin) == Verdict()
    confirm(waiting, samir)
    for each in (one, twin):
        verdict = said(each)
        assert (verdict.first, verdict.second, verdict.outcome) == ("olivia", "samir", "APPROVE")


def test_a_returned_first_decision_is_no_officers(olivia: User, samir: User) -> None:
    waiting = approve(case(risk="HIGH"), olivia)
    back = services.return_decision(case=waiting, by=samir, note=NOTE, now=NOON)
    assert (said(back).status, said(back).first) == ("OPEN", "")


def test_an_old_sheet_keeps_the_words_of_its_reason(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = approve(case(), olivia)
    reasons = [
        replace(r, label="Reworded", basis="Law 2")
        for r in sample_case_type.SCREEN.reasons["APPROVE"]
    ]
    sample_case_type.use(
        monkeypatch, reasons=dict(sample_case_type.SCREEN.reasons) | {"APPROVE": tuple(reasons)}
    )
    edgar = at_desk(person("edgar", "Examiner"))
    for address in (page(one), f"{page(one)}evidence/"):
        html = edgar.get(address).text
        assert "Another party: only a common name agrees (FATF R.6)" in html
        assert "Reworded" not in html


def test_lists_say_what_is_recorded_and_that_the_row_says_else(flipped: Case) -> None:
    other = case("2", party=flipped.party)
    edgar = at_desk(person("edgar", "Examiner"))
    for address in ("/admin/review/case/?view=decided", page(other)):
        html = edgar.get(address).text
        assert "Rejected</span>" in html and "Integrity check failed" in html
        assert "Approved" not in html and "sofia" not in html


def test_a_row_that_is_as_recorded_is_not_marked(olivia: User) -> None:
    approve(case(), olivia)
    html = at_desk(person("edgar", "Examiner")).get("/admin/review/case/?view=decided").text
    assert "Approved</span>" in html and "olivia" in html and "Integrity check failed" not in html


def test_a_decided_case_that_says_it_is_open_is_marked_in_the_queue(olivia: User) -> None:
    one = approve(case(), olivia)
    sql(
        f"UPDATE {TABLE} SET status = 'OPEN', outcome = '', decided_at = NULL, first_at = NULL, "
        "first_by_id = NULL, first_outcome = '' WHERE id = %s",
        one.pk,
    )
    html = at_desk(person("edgar", "Examiner")).get("/admin/review/case/?view=open").text
    assert "Approved</span>" in html and "Integrity check failed" in html


def test_a_first_decision_that_nobody_recorded_is_not_confirmed(olivia: User, samir: User) -> None:
    new_case = case(risk="HIGH")
    forged = "status = 'AWAITING_SECOND', first_at = opened_at, first_outcome = 'APPROVE'"
    sql(f"UPDATE {TABLE} SET {forged}, first_by_id = {olivia.pk} WHERE id = %s", new_case.pk)
    with pytest.raises(services.EvidenceAltered, match="status is AWAITING_SECOND"):
        confirm(Case.objects.get(pk=new_case.pk), samir)
    with pytest.raises(services.EvidenceAltered):
        services.return_decision(
            case=Case.objects.get(pk=new_case.pk), by=samir, note=NOTE, now=NOON
        )
    assert new_case.events.count() == 1


def test_another_outcome_than_was_proposed_is_not_confirmed(olivia: User, samir: User) -> None:
    waiting = approve(case(risk="HIGH"), olivia, outcome="REJECT", reason_code="LISTED_PARTY")
    sql(f"UPDATE {TABLE} SET first_outcome = 'APPROVE' WHERE id = %s", waiting.pk)
    with pytest.raises(services.EvidenceAltered, match="recorded is REJECT"):
        confirm(Case.objects.get(pk=waiting.pk), samir)


def test_a_merge_that_nobody_recorded_is_not_decided_with_the_case(
    olivia: User, samir: User
) -> None:
    one, other = case("1"), case("2")
    sql(f"UPDATE {TABLE} SET merged_into_id = {one.pk} WHERE id = %s", other.pk)
    with pytest.raises(services.EvidenceAltered, match="merged_into is"):
        approve(one, olivia)
    assert [one.events.count(), other.events.count()] == [1, 1]


def test_page_and_sheet_give_the_reason_under_both_officers(olivia: User, samir: User) -> None:
    one = confirm(approve(case(risk="HIGH"), olivia), samir)
    edgar = at_desk(person("edgar", "Examiner"))
    for address in (page(one), f"{page(one)}evidence/"):
        html = edgar.get(address).text
        assert "olivia and samir: Another party: only a common name agrees (FATF R.6)" in html


def test_the_second_officer_is_offered_the_first_reason_alone(olivia: User, samir: User) -> None:
    one = approve(case(risk="HIGH"), olivia)
    html = at_desk(samir).get(page(one)).text
    assert html.count('name="reason"') == 1 and "DIFFERENT_PARTY" not in html
    assert 'value="NAME_ONLY" data-digit="1"' in html and "Reason to confirm" in html
    given = {"proposed": "APPROVE", "note": NOTE, "reason": "DIFFERENT_PARTY"}
    refused = at_desk(samir).post(f"{page(one)}confirm/", given)
    assert refused.status_code == 400 and "Confirm the proposed reason" in refused.text
    assert at_desk(samir).post(f"{page(one)}confirm/", given | {"reason": "NAME_ONLY"})
    one.refresh_from_db()
    assert (one.status, one.reason_code) == ("DECIDED", "NAME_ONLY")
