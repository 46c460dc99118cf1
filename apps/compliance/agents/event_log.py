"""What is written of an agent: each step has its record in the ledger, in the same transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.compliance.agents.models import Agent, AgentEvent, Step
from apps.compliance.agents.rules.levels import AgentOwner, LevelJudgement


def record_agent_step(
    *, agent: Agent, step: Step, said: Mapping[str, Any], by: str, now: datetime, about: str = ""
) -> AgentEvent:
    """Append a step to the ledger."""
    event: AgentEvent = AgentEvent.write(
        payload=dict(said),
        now=now,
        agent=agent.agent_id,
        step=step,
        level=agent.level,
        about=about,
        by=by,
    )
    return event


def apply_owner_findings(
    *, agent: Agent, owner: AgentOwner, standing: LevelJudgement, now: datetime
) -> None:
    """Put what was found of the owner into the row, unsaved."""
    agent.level, agent.note = standing.level, standing.note
    agent.lei_status, agent.lei_entity = owner.status or owner.asked, owner.holder
    agent.looked_at = now
