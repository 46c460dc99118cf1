"""An agent as anybody may see it, and the list of those that were revoked."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from apps.agents import mandates, proof
from apps.agents.models import Agent, Mandate, Revocation
from apps.agents.rules.levels import TIERS
from apps.core.callers import Caller
from apps.core.pagination import Paged
from apps.core.problems import NO_SUCH_ID, NotFound


def read(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> dict[str, Any]:
    """Return an agent; see AgentOut."""
    agent = Agent.objects.filter(agent_id=asked["agent_id"]).first()
    if agent is None:
        raise NotFound(NO_SUCH_ID)
    return shown(proof.proved(agent), mandates.current(agent), now)


def shown(agent: Agent, mandate: Mandate | None, now: datetime) -> dict[str, Any]:
    """Return an agent in the names of AgentOut: neither its secret nor an e-mail."""
    tier = TIERS[agent.level]
    found: dict[str, Any] = {
        "agent_id": agent.agent_id,
        "name": agent.name,
        "framework": agent.framework,
        "protocols": agent.protocols,
        "owner_entity": agent.owner_entity,
        "owner_lei": agent.owner_lei,
        "kya_level": agent.level,
        "kya_score": tier.score,
        "status": agent.status,
        "tier_caps": {"max_notional_usd": tier.cap, "daily_cap_usd": tier.cap},
        "lei_verified": agent.level == "VERIFIED",
        "lei_entity_name": agent.lei_entity or None,
        "lei_status": agent.lei_status,
        "tier_note": agent.note,
        "owner_verified": agent.owner_verified,
        "mandate": mandates.shown(mandate, agent, now) if mandate else None,
        "registered_at": agent.registered_at,
        "checked_at": agent.looked_at,
    }
    if agent.revoked:
        found["revoked_at"] = agent.revoked_at
    return found | further(tier.upgrade)


def further(upgrade: str) -> dict[str, str]:
    """Return how to get to the next level, where there is one."""
    return {"_next": upgrade} if upgrade else {}


def revocations(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> Paged:
    """Return the agents that were revoked, the last one first; see RevocationsOut."""
    rows = Revocation.objects.select_related("agent").order_by("-pk")
    since = asked.get("revoked_from")
    return Paged(rows.filter(at__gte=since) if since else rows, show=_rows)


def _rows(found: Sequence[Revocation]) -> list[dict[str, Any]]:
    return [{"agent_id": one.agent.agent_id, "revoked_at": one.at} for one in found]
