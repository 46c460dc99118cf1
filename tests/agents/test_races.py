"""Many payments of one agent at the same moment: threads as in life, on either database."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from apps.compliance.agents.models import Agent, Spend
from apps.compliance.agents.services import agent_spends, revocation
from apps.compliance.agents.services.agent_spends import SpendRequest
from tests.agents.conftest import OWNED, Acting
from tests.conftest import NOON
from tests.paywall.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def gleif() -> None:
    """Nothing of GLEIF is needed here."""


@pytest.fixture
def agent(register: Callable[..., Acting]) -> Agent:
    acting = register(**OWNED, mandate={"maxNotionalUsd": 1000, "dailyCapUsd": 1000})
    return Agent.objects.get(agent_id=acting.id)


def test_a_day_is_never_overspent(agent: Agent) -> None:
    def pay(number: int) -> bool:
        spend_request = SpendRequest(reference=f"p{number}", amount_usd=Decimal("300.000001"))
        return agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=NOON).allowed

    results = at_once(pay, 16)
    assert sorted(map(str, results)) == ["False"] * 13 + ["True"] * 3
    assert agent_spends.sum_spent_on(agent=agent, day=NOON.date()) == Decimal("900.000003")


def test_the_same_payment_at_once_counts_once(agent: Agent) -> None:
    spend_request = SpendRequest(reference="same", amount_usd=Decimal(400))
    results = at_once(
        lambda _: agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=NOON), 12
    )
    assert sorted(one.replayed for one in results) == [False] + [True] * 11
    assert all(one.allowed for one in results) and Spend.objects.count() == 1


def test_what_is_released_twice_at_once_is_released_once(agent: Agent) -> None:
    spend_request = SpendRequest(reference="same", amount_usd=Decimal(400))
    agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=NOON)
    results = at_once(
        lambda _: agent_spends.release_spend(agent=agent, reference="same", now=NOON), 8
    )
    assert sorted(results) == [False] * 7 + [True]


def test_nothing_is_spent_after_a_revocation(agent: Agent) -> None:
    def work(number: int) -> Any:
        with transaction.atomic():
            if number == 4:
                return revocation.revoke_agent(agent=agent, by="t", reason="", now=NOON)
            spend_request = SpendRequest(reference=f"p{number}", amount_usd=Decimal(1))
            outcome = agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=NOON)
            return outcome.code or "spent"

    results = at_once(work, 12)
    assert results.count(True) == 1 and set(map(str, results)) <= {"True", "spent", "agent_revoked"}
    spend_request = SpendRequest(reference="late", amount_usd=Decimal(1))
    assert (
        agent_spends.authorize_spend(agent=agent, wanted=spend_request, now=NOON).code
        == "agent_revoked"
    )


def test_two_versions_of_a_mandate_at_once_are_two_versions(
    register: Callable[..., Acting],
) -> None:
    acting = register(**OWNED)
    results = at_once(lambda n: acting.allowed(dailyCapUsd=100 + n).json()["version"], 6)
    assert sorted(results) == [1, 2, 3, 4, 5, 6]
