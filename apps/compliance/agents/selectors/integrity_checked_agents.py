"""Refuse agents whose rows differ from their records."""

from apps.compliance.agents.integrity import STANDING, find_agent_faults
from apps.compliance.agents.models import Agent, AgentEvent, Revocation
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class AgentIntegrityError(Unavailable):
    """Integrity check failed for the agent: it was altered."""

    code, title = "agent_unproved", "Agent integrity check failed"


def verify_agent(agent: Agent) -> Agent:
    """Return a verified agent; three queries. Raises AgentIntegrityError (503)."""
    # who can write the database can undo a revocation or raise a level, but cannot record that; a
    # credential issued on such a row would confirm it
    events = AgentEvent.objects.filter(agent=agent.agent_id, step__in=STANDING).order_by("pk")
    mandates = list(agent.mandates.order_by("version"))
    ended = Revocation.objects.filter(agent=agent).exists()
    if any(find_agent_faults(agent, filter_verified_records(events), mandates, ended)):
        raise AgentIntegrityError("Integrity check failed for this agent. Contact the operator.")
    return agent


def lock_agent(agent_id: str) -> Agent | None:
    """Return a verified agent, with its row locked until the transaction ends.

    Raises AgentIntegrityError (503).
    """
    row = Agent.objects.select_for_update().filter(agent_id=agent_id).first()
    return verify_agent(row) if row else None
