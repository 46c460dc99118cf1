"""Mandates that are made and changed: one version each, clamped to the level of the agent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.compliance.agents import event_log, owner_proofs, secrets
from apps.compliance.agents.authentication import KIND
from apps.compliance.agents.mandate_limits import (
    NOTHING,
    current_mandate,
    format_terms,
    lifts_any_limit,
    lock_callers_agent,
    preview_terms,
    serialize_mandate,
)
from apps.compliance.agents.mandate_terms import serialize_mandate_terms
from apps.compliance.agents.models import Agent, Mandate, Step
from apps.compliance.agents.problems import AgentRevoked, OwnerNeeded, UpgradeRequired
from apps.compliance.agents.rules.levels import TIERS, can_hold_mandates
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller


def conclude_mandate(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> Answer:
    """Make a mandate, or a new version of it; see MandateMade."""
    agent_id = asked.get("agent_id") or calling_agent_id(caller)
    if not agent_id:
        raise ValidationError({"agentId": ["Administrators must name the agent."]})
    agent = lock_callers_agent(agent_id=agent_id, caller=caller)
    before = current_mandate(agent)
    terms, _ = preview_terms(agent=agent, terms=asked)
    # without an LEI no owner can sign: such an agent is limited by its level's cap
    owned = caller.kind == KIND and bool(agent.owner_lei)
    # lowering its own limits is safe; lifting them is the owner's decision, or an administrator's
    if owned and lifts_any_limit(terms, serialize_mandate_terms(before) if before else NOTHING):
        # raise OwnerNeeded (403) or ProofRefused (422) unless the owner's wallet signed the terms
        owner_proof = asked.get("owner_proof")
        if owner_proof is None:
            raise OwnerNeeded(
                "This loosens a limit of the agent. Send `ownerProof`, signed by a wallet that is "
                "registered to its owner's LEI, or ask an administrator."
            )
        owner_proofs.verify_owner_proof(
            # signed for exactly these terms: having authorised the agent once is no consent to them
            agent=agent,
            proof=owner_proof,
            now=now,
            terms=format_terms(terms),
        )
    mandate, narrowed = append_mandate(agent=agent, terms=asked, by=caller.ref, now=now)
    payload = serialize_mandate(mandate, agent, now) | {
        "agent_id": agent.agent_id,
        "clamped": narrowed,
    }
    return Answer(payload, status=200 if before else 201)


def calling_agent_id(caller: Caller) -> str:
    """Return the id of the agent that calls; empty for an administrator."""
    return caller.ref.partition(":")[2] if caller.kind == KIND else ""


def append_mandate(
    *, agent: Agent, terms: Mapping[str, Any], by: str, now: datetime
) -> tuple[Mandate, bool]:
    """Append a version, and say whether the level clamped it; call it with the agent locked.

    Fields missing from `terms` keep their values, and terms without a change add no version.
    AgentRevoked and UpgradeRequired (403).
    """
    if agent.revoked:
        raise AgentRevoked("The agent is revoked.")
    # document 1 section 2.10, mandate rules: ANONYMOUS must upgrade first
    if not can_hold_mandates(agent.level):
        raise UpgradeRequired(f"{agent.note} {TIERS[agent.level].upgrade}")
    before = current_mandate(agent)
    clamped_terms, narrowed = preview_terms(agent=agent, terms=terms)
    # no version without a change: a repeated call is answered with the one in force
    if before is not None and clamped_terms == serialize_mandate_terms(before):
        return before, narrowed
    mandate = Mandate.objects.create(
        agent=agent,
        mandate_id=before.mandate_id if before else secrets.generate_id(secrets.MANDATE_PREFIX),
        version=before.version + 1 if before else 1,
        max_notional=clamped_terms["max_notional_usd"],
        daily_cap=clamped_terms["daily_cap_usd"],
        currency_pairs=clamped_terms["currency_pairs"],
        whitelist=clamped_terms["counterparty_whitelist"],
        esg_floor=clamped_terms["esg_floor"],
        ap2_compatible=clamped_terms["ap2_compatible"],
        level=agent.level,
        made_at=now,
        made_by=by,
    )
    payload = {"version": mandate.version} | serialize_mandate_terms(mandate)
    event_log.record_agent_step(
        agent=agent, step=Step.MANDATE, payload=payload, by=by, now=now, about=mandate.mandate_id
    )
    return mandate, narrowed
