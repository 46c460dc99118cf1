"""Agents that settle by a tool: the credential of the connection says whose mandate holds."""

from typing import Any

import pytest

from apps.entry.discovery import callable_operations
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.settlement.models import Settlement
from tests.api.oracles import run_oracles
from tests.discovery.mcp_agent import Agent, Running
from tests.settlement.test_agent_settlements import HEADER, Agents

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
TOOL = "settlement.settle"
ERAS = ["auto", "legacy"]


@pytest.fixture
def stocked(sample: None) -> None:
    """The sample, and a run of each oracle."""
    latest_run.forget_latest_run()
    run_oracles()


def settles(amount: float) -> dict[str, Any]:
    return dict(callable_operations.list_tools()[TOOL].example) | {"amount": amount}


def calling(url: str, agent: Agents, era: str = "auto") -> Agent:
    """Return a connection under the credential that an agent has now."""
    return Agent(url, era, **{HEADER.replace("-", "_"): agent.credential[HEADER]})


@pytest.mark.parametrize("era", ERAS)
def test_up_to_its_cap_an_agent_settles_by_a_tool_and_above_it_is_refused(
    tools: Running, stocked: None, era: str
) -> None:
    agent = Agents(maxNotionalUsd=500)
    connected = calling(tools.url, agent, era)
    assert connected.good(TOOL, settles(500))["status"] == "settled"
    assert Settlement.objects.get().agent_id == agent.id
    refused = connected.bad(TOOL, settles(500.01))
    assert (refused["status"], refused["code"]) == (403, "mandate_refused")
    assert Settlement.objects.count() == 1


def test_the_cap_of_one_agent_is_not_that_of_another(tools: Running, stocked: None) -> None:
    small, large = Agents(maxNotionalUsd=100), Agents(maxNotionalUsd=900)
    asked = settles(400)
    assert calling(tools.url, small).bad(TOOL, asked)["code"] == "mandate_refused"
    assert calling(tools.url, large).good(TOOL, asked)["status"] == "settled"
    assert [row.agent_id for row in Settlement.objects.all()] == [large.id]


def test_a_credential_that_is_revoked_midway_serves_no_further_call(
    tools: Running, stocked: None
) -> None:
    agent, other = Agents(), Agents()
    connected, beside = calling(tools.url, agent), calling(tools.url, other)
    assert connected.good(TOOL, settles(100))["status"] == "settled"
    agent.revoke()
    refused = connected.bad(TOOL, settles(100))
    assert (refused["status"], refused["code"]) == (403, "agent_revoked")
    assert beside.good(TOOL, settles(100))["status"] == "settled"
    assert [row.agent_id for row in Settlement.objects.order_by("pk")] == [agent.id, other.id]


def test_the_same_call_again_under_a_key_is_one_settlement_of_the_agent(
    tools: Running, stocked: None
) -> None:
    agent = Agents()
    connected = calling(tools.url, agent)
    asked = settles(100) | {"idempotencyKey": "one-settlement"}
    first, again = connected.good(TOOL, asked), connected.good(TOOL, asked)
    assert first == again and Settlement.objects.count() == 1
