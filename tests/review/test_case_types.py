"""A kind brings its reasons, words, people and consequences along; review asks only for it."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import case_types as found
from apps.backoffice.review import services
from apps.backoffice.review.case_types import CASE_TYPES, OutcomeLabels
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, OFFICER, approve, at_desk, case, check_page, person

TABLE = dict(CASE_TYPES)  # as it is, without what stands in for it in these tests
COUNTRY = [{"ref": sample_case_type.COUNTRY, "sentence": "Increased monitoring."}]


@pytest.mark.parametrize("name", TABLE)
def test_what_the_table_of_kinds_names_is_a_kind(name: str) -> None:
    CASE_TYPES.update(TABLE)  # until the end of this test
    assert isinstance(found.get_case_type(name), found.CaseType) and found.load_case_types()[name]


def test_the_page_offers_the_reasons_that_fit_and_no_others(olivia: User) -> None:
    desk = at_desk(olivia)
    plain, watched = case("1"), case("2", reasons=COUNTRY)
    shown = [check_page(desk.get(f"/admin/review/case/{one.pk}/")) for one in (plain, watched)]
    assert ["COUNTRY_EDD" in html for html in shown] == [False, True]
    assert all('value="OTHER"' in html for html in shown)


def test_a_reason_that_does_not_fit_is_refused(olivia: User, samir: User) -> None:
    with pytest.raises(services.InvalidDecision, match="fits"):
        approve(case("1"), olivia, reason_code="COUNTRY_EDD")
    assert approve(case("2", reasons=COUNTRY), olivia, reason_code="COUNTRY_EDD").outcome
    waiting = approve(case("3", risk="HIGH"), olivia)
    with pytest.raises(services.InvalidDecision, match="fits"):
        services.confirm_decision(
            case=waiting, by=samir, reason_code="COUNTRY_EDD", note=NOTE, now=NOON
        )


def test_a_kind_says_who_decides_and_who_confirms(
    monkeypatch: pytest.MonkeyPatch, olivia: User, samir: User
) -> None:
    sample_case_type.use(monkeypatch, decides="review.assign_case", confirms="core.change_job")
    new_case = case(risk="HIGH")
    assert 'name="outcome"' not in check_page(
        at_desk(olivia).get(f"/admin/review/case/{new_case.pk}/")
    )
    with pytest.raises(services.StepNotAllowed):
        approve(new_case, olivia)
    waiting = approve(new_case, samir)
    with pytest.raises(services.StepNotAllowed):
        services.confirm_decision(case=waiting, by=person("sofia", "Senior officer"),
                        reason_code="NAME_ONLY", note=NOTE, now=NOON)  # fmt: skip
    otto = person("otto", "Operator")
    done = services.confirm_decision(
        case=waiting, by=otto, reason_code="NAME_ONLY", note=NOTE, now=NOON
    )
    assert done.status == "DECIDED"


def test_next_is_no_case_that_the_officer_may_not_decide(
    monkeypatch: pytest.MonkeyPatch, olivia: User
) -> None:
    sample_case_type.use(monkeypatch, decides="review.assign_case")
    case()
    assert services.claim_next_case(by=olivia, now=NOON) is None


def test_a_kind_has_words_of_its_own_for_outcomes(
    monkeypatch: pytest.MonkeyPatch, olivia: User
) -> None:
    words = {
        "APPROVE": OutcomeLabels("Register", "Registered"),
        "REJECT": OutcomeLabels("Turn down", "Refused"),
    }
    sample_case_type.use(monkeypatch, words=words)
    desk, one = at_desk(olivia), case()
    html = check_page(desk.get(f"/admin/review/case/{one.pk}/"))
    assert "Reason to register" in html and "Turn down" in html
    approve(one, olivia)
    html = check_page(desk.get(f"/admin/review/case/{one.pk}/"))
    assert "Registered" in html and "Approved" not in html


def test_cases_of_a_kind_without_a_bulk_rule_are_decided_one_by_one(
    monkeypatch: pytest.MonkeyPatch, olivia: User
) -> None:
    sample_case_type.use(monkeypatch, bulk=None)
    both = [case("1"), case("2")]
    with pytest.raises(services.BulkNotPossible, match="one by one"):
        services.propose_bulk_clear(
            cases=both, by=olivia, reason_code="NAME_ONLY", note=NOTE, now=NOON
        )


def test_a_case_of_a_kind_that_left_is_shown_and_nothing_can_be_decided(
    monkeypatch: pytest.MonkeyPatch, db: Any
) -> None:
    new_case = case()
    monkeypatch.delitem(CASE_TYPES, "screen")
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{new_case.pk}/"))
    assert "Chen Haddad" in html and 'name="outcome"' not in html
