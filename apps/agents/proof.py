"""Agents act only as they were recorded: an altered row is refused.

Whoever can write the database can undo a revocation, raise a level or put another secret in, but
not record that. Were such a row believed, a fresh credential of ours would bear it out.
"""

from apps.agents.models import Agent, AgentEvent, Revocation
from apps.agents.projection import STANDING, faults
from apps.core.chain import proven
from apps.core.problems import Unavailable


class AgentUnproved(Unavailable):
    """The agent is not as it was recorded: somebody altered it."""

    code, title = "agent_unproved", "The agent cannot be relied on"


def proved(agent: Agent) -> Agent:
    """Return an agent that is as it was recorded; three queries. AgentUnproved (503) otherwise."""
    events = AgentEvent.objects.filter(agent=agent.agent_id, step__in=STANDING).order_by("pk")
    held = list(agent.mandates.order_by("version"))
    ended = Revocation.objects.filter(agent=agent).exists()
    if any(faults(agent, proven(events), held, ended)):
        raise AgentUnproved("The agent is not as it was recorded: ask the operator.")
    return agent


def locked(agent_id: str) -> Agent | None:
    """Return an agent as recorded, whose row nobody else changes until the transaction ends.

    Raises AgentUnproved (503).
    """
    row = Agent.objects.select_for_update().filter(agent_id=agent_id).first()
    return proved(row) if row else None
