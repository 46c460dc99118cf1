"""An agent is registered: its level follows from what is stated of the owner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.agents import mandates, owners, recording, secrets, showing
from apps.agents.models import Agent, Step
from apps.agents.problems import UpgradeRequired
from apps.agents.rules.levels import Owner, holds_mandates, judge
from apps.agents.screening import AgentRefused, Screened, log_refused, review, screened
from apps.core.callers import Caller
from apps.core.pipeline import Refusal


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is known of an owner, and what the lists say; None where nobody is stated."""

    owner: Owner
    screened: Screened | None


def gather(*, asked: Any, now: datetime) -> Gathered:
    """Look the owner's LEI up, where one is stated, and hold the owner against the lists.

    UpgradeRequired for a mandate that is too much: nothing of such a registration is kept. Raises
    ListsUnavailable and ListsStale (503).
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
    return Gathered(owner, screened(owner=owner, now=now))


def conclude(
    *, asked: Any, gathered: Gathered, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Make a new agent with a secret of its own, see RegisteredOut; or refuse a listed owner."""
    owner, found = gathered.owner, gathered.screened
    if found is not None and found.judgement.refused:
        log_refused(asked=asked, owner=owner, found=found, caller=caller.ref, now=now)
        return Refusal(AgentRefused("This agent cannot be registered."))
    secret, *proof = secrets.made()
    agent = _made(asked, owner, proof, now)
    mandate, clamped = None, False
    if "mandate" in asked:
        terms = asked["mandate"]
        mandate, clamped = mandates.write(agent=agent, terms=terms, by=agent.ref, now=now)
    if found is not None:
        review(agent=agent, asked=asked, owner=owner, found=found, now=now)
    told = showing.shown(agent, mandate, now) | {"agent_secret": secret}
    return told | ({"clamped": clamped} if mandate else {})


def _made(asked: Any, owner: Owner, proof: list[str], now: datetime) -> Agent:
    """Keep a new agent, and the first step of its ledger; `proof` is lookup and digest."""
    lookup, digest = proof
    agent = Agent(
        agent_id=secrets.new_id(secrets.AGENT_PREFIX),
        lookup=lookup,
        digest=digest,
        name=asked["name"],
        framework=asked.get("framework", ""),
        protocols=list(dict.fromkeys(asked.get("protocols", []))),
        owner_entity=owner.entity,
        has_email=owner.email,
        owner_lei=owner.lei,
        registered_at=now,
    )
    recording.found(agent=agent, owner=owner, standing=judge(owner), now=now)
    agent.save(force_insert=True)
    recording.record(
        agent=agent, step=Step.REGISTERED, said=_said(agent, asked, owner), by=agent.ref, now=now
    )
    return agent


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
