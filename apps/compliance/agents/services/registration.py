"""Register an agent: its level follows from the owner's statements."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.compliance.agents import event_log, owner_lookup, public_agents, secrets
from apps.compliance.agents.models import Agent, Step
from apps.compliance.agents.owner_screening import (
    AgentRefused,
    ScreenedOwner,
    log_refused_agent,
    open_owner_case,
    screen_owner,
)
from apps.compliance.agents.problems import UpgradeRequired
from apps.compliance.agents.rules.levels import AgentOwner, can_hold_mandates, judge_owner
from apps.compliance.agents.services.mandates import append_mandate
from apps.platform.api.answers import Refusal
from apps.platform.api.callers import Caller


@dataclass(frozen=True, slots=True)
class AgentRegistrationInputs:
    """The LEI lookup and the list results of an owner; None if no owner is stated."""

    owner: AgentOwner
    screened: ScreenedOwner | None


def gather_agent_registration(*, asked: Any, now: datetime) -> AgentRegistrationInputs:
    """Look the owner's LEI up, where one is stated, and hold the owner against the lists.

    UpgradeRequired for a mandate that is too much: nothing of such a registration is kept. Raises
    ListsUnavailable and ListsStale (503).
    """
    owner = owner_lookup.look_up_owner(
        entity=asked.get("owner_entity", ""),
        email="owner_email" in asked,
        lei=asked.get("owner_lei", ""),
        now=now,
    )
    standing = judge_owner(owner)
    # before anything is screened or made: such a registration leaves no agent without its mandate
    if "mandate" in asked and not can_hold_mandates(standing.level):
        raise UpgradeRequired(f"{standing.note} {standing.upgrade}")
    return AgentRegistrationInputs(owner, screen_owner(owner=owner, now=now))


def conclude_agent_registration(
    *, asked: Any, gathered: AgentRegistrationInputs, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Make a new agent with a secret of its own, see RegisteredOut; or refuse a listed owner."""
    owner, screened_owner = gathered.owner, gathered.screened
    if screened_owner is not None and screened_owner.judgement.refused:
        log_refused_agent(
            asked=asked, owner=owner, screened_owner=screened_owner, caller=caller.ref, now=now
        )
        # returned and not raised: the entry in the SAR log must be committed
        return Refusal(AgentRefused("This agent cannot be registered."))
    secret, *proof = secrets.generate_secret()
    agent = _create_agent(asked, owner, proof, now)
    mandate, clamped = None, False
    if "mandate" in asked:
        terms = asked["mandate"]
        mandate, clamped = append_mandate(agent=agent, terms=terms, by=agent.ref, now=now)
    if screened_owner is not None:
        open_owner_case(
            agent=agent, asked=asked, owner=owner, screened_owner=screened_owner, now=now
        )
    answer = public_agents.serialize_agent(agent, mandate, now) | {"agent_secret": secret}
    return answer | ({"clamped": clamped} if mandate else {})


def _create_agent(asked: Any, owner: AgentOwner, proof: list[str], now: datetime) -> Agent:
    """Keep a new agent, and the first step of its ledger; `proof` is lookup and digest."""
    lookup, digest = proof
    agent = Agent(
        agent_id=secrets.generate_id(secrets.AGENT_PREFIX),
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
    owner_lookup.apply_owner_findings(
        agent=agent, owner=owner, standing=judge_owner(owner), now=now
    )
    agent.save(force_insert=True)
    event_log.record_agent_step(
        agent=agent,
        step=Step.REGISTERED,
        payload={
            "name": agent.name,
            "framework": agent.framework,
            "protocols": agent.protocols,
            "ownerEntity": agent.owner_entity,
            # only here: a purge of the ledger's payload removes it
            "ownerEmail": asked.get("owner_email", ""),
            "ownerLei": agent.owner_lei,
            "leiStatus": agent.lei_status,
            "leiEntityName": agent.lei_entity,
            "nameAgreement": owner.agreement,
            "tierNote": agent.note,
            "secretDigest": agent.digest,
        },
        by=agent.ref,
        now=now,
    )
    return agent
