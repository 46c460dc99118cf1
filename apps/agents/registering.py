"""An agent is registered: its level follows from what is stated of the owner."""

from datetime import datetime
from typing import Any

from apps.agents import mandates, owners, recording, secrets, showing
from apps.agents.models import Agent, Step
from apps.agents.problems import UpgradeRequired
from apps.agents.rules.levels import Owner, holds_mandates, judge
from apps.core.callers import Caller


def gather(*, asked: Any, now: datetime) -> Owner:
    """Look the owner's LEI up, where one is stated; UpgradeRequired for a mandate that is too much.

    Nothing of such a registration is kept.
    """
    owner = owners.looked_up(
        entity=asked.get("owner_entity", ""),
        email="owner_email" in asked,
        lei=asked.get("owner_lei", ""),
        now=now,
    )
    standing = judge(owner)
    if "mandate" in asked and not holds_mandates(standing.level):
        raise UpgradeRequired(f"{standing.note} {standing.upgrade}")
    return owner


def conclude(*, asked: Any, gathered: Owner, caller: Caller, now: datetime) -> dict[str, Any]:
    """Make a new agent with a secret of its own; see RegisteredOut."""
    secret, lookup, digest = secrets.made()
    agent = Agent(
        agent_id=secrets.new_id(secrets.AGENT_PREFIX),
        lookup=lookup,
        digest=digest,
        name=asked["name"],
        framework=asked.get("framework", ""),
        protocols=list(dict.fromkeys(asked.get("protocols", []))),
        owner_entity=gathered.entity,
        has_email=gathered.email,
        owner_lei=gathered.lei,
        registered_at=now,
    )
    recording.found(agent=agent, owner=gathered, standing=judge(gathered), now=now)
    agent.save(force_insert=True)
    recording.record(
        agent=agent, step=Step.REGISTERED, said=_said(agent, asked, gathered), by=agent.ref, now=now
    )
    mandate = None
    if "mandate" in asked:
        mandate, _ = mandates.write(agent=agent, terms=asked["mandate"], by=agent.ref, now=now)
    return showing.shown(agent, mandate, now) | {"agent_secret": secret}


def _said(agent: Agent, asked: Any, owner: Owner) -> dict[str, Any]:
    """Return what was stated and found, as the ledger keeps it."""
    return {
        "name": agent.name,
        "framework": agent.framework,
        "protocols": agent.protocols,
        "ownerEntity": agent.owner_entity,
        "ownerEmail": asked.get("owner_email", ""),
        "ownerLei": agent.owner_lei,
        "leiStatus": agent.lei_status,
        "leiEntityName": agent.lei_entity,
        "nameAgreement": owner.agreement,
        "tierNote": agent.note,
        "secretDigest": agent.digest,
    }
