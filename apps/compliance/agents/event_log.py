"""Record an agent's steps in the ledger, each in the transaction that makes it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.compliance.agents.models import Agent, AgentEvent, Step


def record_agent_step(
    *, agent: Agent, step: Step, payload: Mapping[str, Any], by: str, now: datetime, about: str = ""
) -> AgentEvent:
    """Append a step to the ledger."""
    event: AgentEvent = AgentEvent.write(
        payload=dict(payload),
        now=now,
        agent=agent.agent_id,
        step=step,
        level=agent.level,
        about=about,
        by=by,
    )
    return event
