"""An agent that somebody altered is not believed, nor is what it spent."""

import json
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.compliance.agents import credentials
from apps.compliance.agents.models import Agent, AgentEvent, Spend, Step
from apps.compliance.agents.problems import CredentialInvalid
from apps.compliance.agents.selectors.integrity_checked_agents import AgentIntegrityError
from apps.compliance.agents.services import agent_spends
from apps.platform.ledger.table_proofs import PROJECTIONS
from tests.agents.conftest import OWNED, Acting
from tests.conftest import NOON


def altered(answer: Any) -> bool:
    return bool(answer.status_code == 503 and answer.json()["code"] == "agent_unproved")


def pay(acting: Acting, amount: int, reference: str) -> agent_spends.SpendOutcome:
    spend_request = agent_spends.SpendRequest(reference=reference, amount_usd=Decimal(amount))
    return agent_spends.authorize_spend(
        agent=Agent.objects.get(agent_id=acting.id), wanted=spend_request, now=NOON
    )


def found() -> list[str]:
    return [one for agent in PROJECTIONS["agents"] for one in agent.compare(lambda _: None)]


CHANGES = {
    "raised": {"level": "VERIFIED", "owner_lei": "INR2EJN1ERAN0W5ZP974"},
    "renamed": {"owner_entity": "Somebody Else Ltd"},
    "another key": {"key_thumbprint": "mine"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_altered_agent_is_given_nothing(register: Callable[..., Acting], change: Any) -> None:
    agent = register(**OWNED)
    credential_jwt = agent.verify().json()["credentialJwt"]
    Agent.objects.update(**change)
    assert altered(agent.verify()) and altered(agent.mandate(dailyCapUsd=5))
    assert agent.client.get(f"/compliance/agent/{agent.id}").status_code == 503
    for refused in (
        lambda: credentials.verify_credential(credential_jwt, now=NOON),
        lambda: pay(agent, 1, "a"),
    ):
        with pytest.raises(AgentIntegrityError):
            refused()


def test_a_revocation_that_was_undone_gives_no_credential(register: Callable[..., Acting]) -> None:
    agent = register(**OWNED)
    agent.revoke()
    Agent.objects.update(status="ACTIVE", revoked_at=None)
    assert altered(agent.verify()) and altered(agent.mandate(dailyCapUsd=5))


def test_a_payment_that_was_counted_is_not_allowed_again_once_revoked(
    register: Callable[..., Acting],
) -> None:
    agent = register(**OWNED)
    assert pay(agent, 1, "INV-1").allowed and pay(agent, 1, "INV-1").replayed
    agent.revoke()
    refused = pay(agent, 1, "INV-1")
    assert (refused.allowed, refused.code) == (False, "agent_revoked")


@pytest.mark.parametrize("change", ["gone", "smaller", "released"])
def test_what_was_spent_is_what_was_recorded(register: Callable[..., Acting], change: str) -> None:
    agent = register(**OWNED)
    assert pay(agent, 20000, "a").allowed and pay(agent, 100, "b").allowed
    agent_spends.release_spend(agent=Agent.objects.get(), reference="b", now=NOON)
    assert found() == []
    row = Spend.objects.filter(reference="a")
    if change == "gone":
        row.delete()
    else:
        row.update(**({"amount": 1} if change == "smaller" else {"released_at": NOON}))
    with pytest.raises(AgentIntegrityError):
        pay(agent, 20000, "c")
    with pytest.raises(AgentIntegrityError):
        agent_spends.release_spend(agent=Agent.objects.get(), reference="a", now=NOON) or pay(
            agent, 1, "d"
        )
    assert any("recorded is 20000 USD" in fault for fault in found())


def test_a_copied_record_confirms_no_earlier_total(register: Callable[..., Acting]) -> None:
    """A copy has a valid MAC: as the last record of its day it would confirm a smaller total."""
    agent = register(**OWNED)
    assert pay(agent, 20000, "a").allowed and pay(agent, 5000, "b").allowed
    copied = AgentEvent.objects.filter(step=Step.SPENT).order_by("pk")[0]
    copied.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        copied.save(force_insert=True)


def test_a_payment_that_nobody_recorded_is_found(register: Callable[..., Acting]) -> None:
    register(**OWNED)
    Spend.objects.create(
        agent=Agent.objects.get(), reference="x", amount=Decimal(1), day=NOON.date(), spent_at=NOON
    )
    assert any("it is not recorded" in fault for fault in found())


def test_a_credential_counts_for_its_own_audience_in_both_forms(
    register: Callable[..., Acting],
) -> None:
    body = register(**OWNED).verify(audience="shop.example").json()
    moment = NOON + timedelta(minutes=1)
    for form in (json.dumps(body["credential"]), body["credentialJwt"]):
        with pytest.raises(CredentialInvalid):
            credentials.verify_credential(form, now=moment)
        assert credentials.verify_credential(form, now=moment, audience="shop.example")
