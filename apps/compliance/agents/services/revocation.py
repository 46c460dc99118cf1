"""An agent is revoked: at once, for good, once."""

from datetime import datetime
from typing import Any

from django.db import transaction

from apps.compliance.agents import event_log, mandate_limits
from apps.compliance.agents.models import Agent, Revocation, Status, Step
from apps.compliance.agents.revocation_listeners import REVOCATION_LISTENERS
from apps.platform.api.callers import Caller


def conclude_revocation(
    *, asked: Any, gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Revoke the agent; again it answers the same. See RevokedOut."""
    agent = mandate_limits.lock_callers_agent(agent_id=asked["agent_id"], caller=caller)
    revoke_agent(agent=agent, by=caller.ref, reason="", now=now)
    return {"agent_id": agent.agent_id, "status": agent.status, "revoked_at": agent.revoked_at}


@transaction.atomic
def revoke_agent(*, agent: Agent, by: str, reason: str, now: datetime) -> bool:
    """End an agent; False when it had ended, which keeps its first moment and reason."""
    # compare-and-set: one moment, one entry in the list, one record
    won = Agent.objects.filter(pk=agent.pk, status=Status.ACTIVE)
    if not won.update(status=Status.REVOKED, revoked_at=now):
        agent.refresh_from_db(fields=["status", "revoked_at"])
        return False
    agent.status, agent.revoked_at = Status.REVOKED, now
    Revocation.objects.create(agent=agent, at=now, by=by, reason=reason)
    payload = {"reason": reason}
    event_log.record_agent_step(agent=agent, step=Step.REVOKED, payload=payload, by=by, now=now)
    # in the same transaction: no settlement of it stays open beyond the revocation
    for end_unfinished in REVOCATION_LISTENERS.values():
        end_unfinished(agent.agent_id, now)
    return True
