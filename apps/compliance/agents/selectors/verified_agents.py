"""Agents act only as they were recorded: an altered row is refused.

Whoever can write the database can undo a revocation, raise a level or put another secret in, but
not record that. Were such a row believed, a fresh credential of ours would bear it out.
"""

from apps.compliance.agents.integrity import STANDING, find_agent_faults
from apps.compliance.agents.models import Agent, AgentEvent, Revocation
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.hash_chain import filter_verified_records


class AgentIntegrityError(Unavailable):
    """Integrity check failed for the agent: somebody altered it."""

    code, title = "agent_unproved", "Agent integrity check failed"


def verify_agent(agent: Agent) -> Agent:
    """Return an agent that is as it was recorded; three queries. AgentIntegrityError (503)
    otherwise.
    """
    events = AgentEvent.objects.filter(agent=agent.agent_id, step__in=STANDING).order_by("pk")
    held = list(agent.mandates.order_by("version"))
    ended = Revocation.objects.filter(agent=agent).exists()
    if any(find_agent_faults(agent, filter_verified_records(events), held, ended)):
        raise AgentIntegrityError("Integrity check failed for this agent. Contact the operator.")
    return agent


def lock_agent(agent_id: str) -> Agent | None:
    """Return an agent as recorded, whose row nobody else changes until the transaction ends.

    Raises AgentIntegrityError (503).
    """
    row = Agent.objects.select_for_update().filter(agent_id=agent_id).first()
    return verify_agent(row) if row else None
