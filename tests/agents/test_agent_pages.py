"""Agents at the desk: read, and revoked with a reason."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.review.models import Case
from apps.compliance.agents.models import Agent, AgentEvent, Mandate, Revocation
from apps.compliance.agents.services import agent_spends
from tests.agents.conftest import OWNED, Acting
from tests.conftest import NOON
from tests.review.people import SENIOR, at_desk, check_page, person

WHY = "Its owner reported that the secret was stolen."


@pytest.fixture
def agent(register: Callable[..., Acting]) -> Acting:
    acting = register(**OWNED, mandate={"dailyCapUsd": 5000, "currencyPairs": ["USD|EUR"]})
    acting.verify()
    held = Agent.objects.get()
    spend_request = agent_spends.SpendRequest(
        reference="INV-77", amount_usd=Decimal(70), pair="USD|EUR"
    )
    agent_spends.authorize_spend(agent=held, wanted=spend_request, now=NOON)
    return acting


def address(tail: str = "change/") -> str:
    return f"/admin/agents/agent/{Agent.objects.get().pk}/{tail}"


def test_a_page_tells_what_an_agent_may_and_did_and_that_it_was_read(agent: Acting) -> None:
    page = check_page(at_desk(person("sybil", SENIOR)).get(address()))
    for told in (
        agent.id, "owner@alice.example", "5,000", "USD|EUR", "INV-77", "Credential issued",
        "Its mandate is valid",
    ):  # fmt: skip
        assert told in page, told
    assert agent.secret not in page and Agent.objects.get().digest not in page
    assert ReadEvent.objects.get().what == "agents.agent"


def test_an_email_that_was_altered_is_not_shown(agent: Acting, monkeypatch: Any) -> None:
    monkeypatch.setattr(AgentEvent, "mac_fault", lambda self: "its MAC does not hold")
    page = check_page(at_desk(person("sybil", SENIOR)).get(address()))
    assert "owner@alice.example" not in page and "its MAC does not hold" in page


@pytest.mark.parametrize("note", ["", "too short", "x" * 501])
def test_an_agent_is_not_revoked_without_a_reason(agent: Acting, note: str) -> None:
    desk = at_desk(person("sybil", SENIOR))
    assert "Valid credentials: " in check_page(desk.get(address("revoke/")))
    refused = desk.post(address("revoke/"), {"note": note})
    assert refused.status_code == 400 and not Revocation.objects.exists()
    assert note in refused.content.decode()


def test_an_agent_is_revoked_with_a_reason_that_is_kept(agent: Acting) -> None:
    desk = at_desk(person("sybil", SENIOR))
    assert desk.post(address("revoke/"), {"note": WHY}).status_code == 302
    revocation = Revocation.objects.get()
    assert (revocation.by, revocation.reason) == ("sybil", WHY)
    event = AgentEvent.objects.get(step="REVOKED")
    assert (event.by, event.data["reason"]) == ("sybil", WHY)
    assert agent.verify().json()["verified"] is False
    page = check_page(desk.get(address()))
    assert WHY in page and "Revoke…" not in page
    again = desk.post(address("revoke/"), {"note": WHY})
    assert again.status_code == 302 and Revocation.objects.count() == 1


def test_an_examiner_reads_and_revokes_nothing(agent: Acting) -> None:
    desk = at_desk(person("erin", "Examiner"))
    assert "Revoke…" not in check_page(desk.get(address()))
    assert desk.post(address("revoke/"), {"note": WHY}).status_code == 403
    for name in ("mandate", "credential", "agentevent"):
        assert desk.get(f"/admin/agents/{name}/").status_code == 200


def test_pages_say_limits_lists_and_levels_as_people_do(register: Callable[..., Acting]) -> None:
    terms = {"dailyCapUsd": 5000.5, "currencyPairs": ["USD|EUR", "EUR|USD"]}
    register(**OWNED, protocols=["x402", "ap2"], mandate=terms)
    desk = at_desk(person("sybil", SENIOR))
    page = check_page(desk.get(address()))
    assert "5,000.50 USD" in page and "x402, ap2" in page and "[&quot;" not in page
    mandate = check_page(desk.get(f"/admin/agents/mandate/{Mandate.objects.get().pk}/change/"))
    for told in ("5,000.50", "25,000.00", "USD|EUR, EUR|USD", "any", "Registered"):
        assert told in mandate, told
    assert "REGISTERED" not in mandate and "[&quot;" not in mandate


def test_a_step_is_told_in_lines(register: Callable[..., Acting]) -> None:
    register(**OWNED).verify()
    desk = at_desk(person("sybil", SENIOR))
    first, last = (
        check_page(desk.get(f"/admin/agents/agentevent/{agent_event.pk}/change/"))
        for agent_event in AgentEvent.objects.order_by("pk")
    )
    assert "Owner email: owner@alice.example" in first and "Owner LEI: none" in first
    assert f'<a href="{address()}">' in first
    assert "FATF compliant: no" in last and "{&quot;" not in first + last


def test_the_page_of_an_agent_leads_to_the_case_of_its_owner(
    register: Callable[..., Acting],
) -> None:
    register(**OWNED | {"ownerEntity": "Lazarus Funeral Group"})
    case = f"/admin/review/case/{Case.objects.get().pk}/"
    page = check_page(at_desk(person("sybil", SENIOR)).get(address()))
    assert "Officers are reviewing its owner" in page and case in page
