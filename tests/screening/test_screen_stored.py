"""GET /compliance/screen/:id: the stored decision and what an officer made of it."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services as review
from apps.backoffice.review.models import Case
from apps.platform.common.clock import now
from apps.platform.desk.role_sync import ensure_staff_user
from tests.openapi import check_answer
from tests.screening.conftest import CLEAN, PATH

NOTE = "Checked the passport: another person of that name."


@pytest.fixture
def officer(db: Any) -> User:
    return ensure_staff_user(
        username="olivia", group="Compliance officer", password="a long password"
    )


@pytest.fixture
def senior(db: Any) -> User:
    return ensure_staff_user(username="samir", group="Senior officer", password="a long password")


def stored(client: Any, answer: dict[str, Any]) -> Any:
    return client.get(f"{PATH}/{answer['screenId']}")


@pytest.mark.parametrize("name", [CLEAN, "Lazarus Group"])
def test_a_screen_is_read_back_as_it_was_answered(alice, screen, name) -> None:
    answer = screen(name=name)
    found = stored(alice, answer)
    assert found.status_code == 200
    assert found.json() == answer
    assert "resolution" not in found.json()


@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_the_caller_sees_what_an_officer_decided_and_not_why(
    alice, screen, officer, outcome
) -> None:
    answer = screen(country="HT")
    reason = {"APPROVE": "COUNTRY_EDD", "REJECT": "COUNTRY_DECLINED"}[outcome]
    review.decide_case(
        case=Case.objects.get(),
        by=officer,
        outcome=outcome,
        reason_code=reason,
        note=NOTE,
        now=now(),
    )
    body = stored(alice, answer).json()
    assert body["resolution"]["outcome"] == outcome
    assert set(body["resolution"]) == {"outcome", "decidedAt"}
    assert body["decision"] == "FLAGGED"
    for secret in (NOTE, reason, "olivia"):
        assert secret not in str(body)
    check_answer("compliance", "GET", "/compliance/screen/{screen_id}", body)


def test_a_proposal_that_awaits_a_second_officer_is_no_resolution(
    alice, screen, officer, senior
) -> None:
    answer = screen(country="HT", amount=2_000_000)
    case = Case.objects.get()
    assert case.needs_second
    decision = {"reason_code": "COUNTRY_EDD", "note": NOTE, "now": now()}
    review.decide_case(case=case, by=officer, outcome="APPROVE", **decision)
    assert "resolution" not in stored(alice, answer).json()
    case.refresh_from_db()
    review.confirm_decision(case=case, by=senior, **decision)
    assert stored(alice, answer).json()["resolution"]["outcome"] == "APPROVE"


def test_another_tenant_gets_the_same_404_as_for_an_unknown_id(screen, caller) -> None:
    answer = screen()
    bob = caller("Bob Treasury")
    theirs = stored(bob, answer)
    unknown = bob.get(f"{PATH}/{uuid.uuid4()}")
    malformed = bob.get(f"{PATH}/not-an-id")
    assert [r.status_code for r in (theirs, unknown, malformed)] == [404, 404, 404]
    assert theirs.json() == unknown.json() == malformed.json()


def test_without_a_key_nothing_is_read(screen, api) -> None:
    assert stored(api, screen()).status_code == 401
