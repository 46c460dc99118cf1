"""An agent as anybody may see it, and the list of those that were revoked."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.compliance.agents import mandate_limits
from apps.compliance.agents.models import Agent, Mandate, Revocation
from apps.compliance.agents.rules.levels import TIERS
from apps.compliance.agents.selectors import integrity_checked_agents
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def read_agent(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> dict[str, Any]:
    """Return an agent; see AgentOut."""
    agent = Agent.objects.filter(agent_id=asked["agent_id"]).first()
    if agent is None:
        raise NotFound(NO_SUCH_ID)
    return serialize_agent(
        integrity_checked_agents.verify_agent(agent), mandate_limits.current_mandate(agent), now
    )


def serialize_agent(agent: Agent, mandate: Mandate | None, now: datetime) -> dict[str, Any]:
    """Return an agent in the names of AgentOut: neither its secret nor an e-mail."""
    tier = TIERS[agent.level]
    payload: dict[str, Any] = {
        "agent_id": agent.agent_id,
        "name": agent.name,
        "framework": agent.framework,
        "protocols": agent.protocols,
        "owner_entity": agent.owner_entity,
        "owner_lei": agent.owner_lei,
        "kya_level": agent.level,
        "kya_score": tier.score,
        "status": agent.status,
        # the level has one cap for both
        "tier_caps": {"max_notional_usd": tier.cap, "daily_cap_usd": tier.cap},
        "lei_verified": agent.level == "VERIFIED",
        "lei_entity_name": agent.lei_entity or None,
        "lei_status": agent.lei_status,
        "tier_note": agent.note,
        "owner_verified": agent.owner_verified,
        "mandate": mandate_limits.serialize_mandate(mandate, agent, now) if mandate else None,
        "registered_at": agent.registered_at,
        "checked_at": agent.looked_at,
    }
    if agent.revoked:
        payload["revoked_at"] = agent.revoked_at
    return payload | serialize_next_step(tier.upgrade)


def serialize_next_step(upgrade: str) -> dict[str, str]:
    """Return how to get to the next level, where there is one."""
    return {"_next": upgrade} if upgrade else {}


def list_revocations(
    *, asked: Mapping[str, Any], caller: Caller, now: datetime
) -> QuerySet[Revocation]:
    """Return the agents that were revoked, the last one first."""
    return Revocation.objects.select_related("agent").order_by("-pk")


def serialize_revocations(revocations: Sequence[Revocation]) -> list[dict[str, Any]]:
    """Return a page of them; see RevocationsOut."""
    return [
        {"agent_id": revocation.agent.agent_id, "revoked_at": revocation.at}
        for revocation in revocations
    ]
