"""Verify an agent: check its LEI again, and issue a credential for an hour."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from apps.compliance.agents import (
    credentials,
    event_log,
    key_proofs,
    mandate_limits,
    owner_lookup,
    owner_proofs,
    owner_screening,
    public_agents,
)
from apps.compliance.agents.credential_claims import (
    AUDIENCE,
    Claims,
    encode_claims_jwt,
    serialize_claims,
    sign_credential,
)
from apps.compliance.agents.models import Agent, Step
from apps.compliance.agents.rules.levels import TIERS, AgentOwner, judge_owner
from apps.platform.api.answers import Refusal
from apps.platform.api.callers import Caller


@dataclass(frozen=True, slots=True)
class AgentVerificationInputs:
    """What was found before anything is written.

    `screened` is what the lists say of the owner today, `key` the thumbprint of a key that was
    proved, `proved` the owner's proof where one came, and `ended` why an earlier one holds no more.
    """

    owner: AgentOwner
    screened: owner_screening.ScreenedOwner | None = None
    key: str = ""
    proved: owner_proofs.VerifiedOwnerProof | None = None
    ended: owner_proofs.EndedOwnerProof | None = None


def gather_agent_verification(*, asked: Any, now: datetime) -> AgentVerificationInputs | None:
    """Look at the agent's LEI, owner and proofs; None for an agent that is not there.

    Raises ListsUnavailable and ListsStale (503).
    """
    agent = Agent.objects.filter(agent_id=asked["agent_id"]).first()
    if agent is None:
        return None
    owner = owner_lookup.look_up_owner(
        entity=agent.owner_entity, email=agent.has_email, lei=agent.owner_lei, now=now
    )
    # answered by `conclude`; neither lists nor proofs matter any more
    if agent.revoked:
        return AgentVerificationInputs(owner)
    screened_owner = owner_screening.screen_owner(owner=owner, now=now)
    key = ""
    if "key_proof" in asked:
        key = key_proofs.verify_key_proof(
            agent_id=agent.agent_id, proof=asked["key_proof"], now=now
        )
    if "owner_proof" in asked:
        proved = owner_proofs.verify_owner_proof(agent=agent, proof=asked["owner_proof"], now=now)
        return AgentVerificationInputs(owner, screened_owner, key, proved)
    return AgentVerificationInputs(
        owner, screened_owner, key, ended=owner_proofs.find_ended_proof(agent=agent, now=now)
    )


def conclude_agent_verification(
    *, asked: Any, gathered: AgentVerificationInputs | None, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Recompute the agent's level and issue its credential, see VerifiedOut.

    No credential is issued if the owner is listed by now: that is logged, but not disclosed.
    """
    # from here on the agent is locked: a revocation waits, or has been seen
    agent = mandate_limits.lock_callers_agent(agent_id=asked["agent_id"], caller=caller)
    if agent.revoked or gathered is None:
        return _build_response(agent) | {
            "verified": False,
            "credential": None,
            "credential_jwt": None,
        }
    if gathered.screened is not None and gathered.screened.judgement.refused:
        # enter the agent into the SAR log, and say nothing of why
        owner_screening.log_refused_agent(
            asked={"name": agent.name},
            owner=gathered.owner,
            screened_owner=gathered.screened,
            caller=agent.ref,
            now=now,
            ref=agent.agent_id,
        )
        return Refusal(owner_screening.AgentRefused("No credential is issued to this agent."))
    _apply_level(agent, gathered.owner, caller.ref, now)
    # keep what was proved in this call
    payload: dict[str, Any] = {}
    # a new key replaces the one before; the same one is no step
    if gathered.key and gathered.key != agent.key_thumbprint:
        agent.key_thumbprint = payload["key"] = gathered.key
    if gathered.proved:
        payload |= asdict(gathered.proved)
        agent.owner_wallet, agent.owner_proved_at = gathered.proved.wallet, now
    if payload:
        event_log.record_agent_step(
            agent=agent, step=Step.PROVED, payload=payload, by=caller.ref, now=now
        )
        agent.save(update_fields=["key_thumbprint", "owner_wallet", "owner_proved_at"])
    # before the credential, which says whether the owner is verified
    _withdraw_owner_proof(agent, gathered.ended, caller.ref, now)
    claims = credentials.issue_credential(
        agent=agent,
        mandate=mandate_limits.current_mandate(agent),
        audience=asked.get("audience", AUDIENCE),
        by=caller.ref,
        now=now,
    )
    response = _build_response(agent) | {
        "verified": True,
        "credential_jwt": encode_claims_jwt(claims),
    }
    if gathered.ended:
        response["proof_note"] = f"The owner's proof is no longer valid. {gathered.ended.rule.says}"
    return response | {"credential": _serialize_credential(claims)}


def _build_response(agent: Agent) -> dict[str, Any]:
    tier = TIERS[agent.level]
    return {
        "agent_id": agent.agent_id,
        "status": agent.status,
        "kya_level": agent.level,
        "kya_score": tier.score,
        "lei_status": agent.lei_status,
        "tier_note": agent.note,
    } | public_agents.serialize_next_step("" if agent.revoked else tier.upgrade)


def _apply_level(agent: Agent, owner: AgentOwner, by: str, now: datetime) -> None:
    """Set today's level; a change is recorded as a step of its own, and announced."""
    standing, before = judge_owner(owner), agent.level
    owner_lookup.apply_owner_findings(agent=agent, owner=owner, standing=standing, now=now)
    if standing.level != before:
        # the score orders the levels
        fell = TIERS[standing.level].score < TIERS[before].score
        level_change = f"The level {'fell' if fell else 'rose'} from {before} to {standing.level}."
        agent.note = f"{level_change} {standing.note}"
        payload = {"before": before, "leiStatus": agent.lei_status, "tierNote": agent.note}
        event_log.record_agent_step(agent=agent, step=Step.LEVEL, payload=payload, by=by, now=now)
    agent.save(update_fields=["level", "note", "lei_status", "lei_entity", "looked_at"])


def _withdraw_owner_proof(
    agent: Agent, ended: owner_proofs.EndedOwnerProof | None, by: str, now: datetime
) -> None:
    """Withdraw the proof of an owner whose wallet no longer represents it."""
    if ended is None or agent.owner_wallet != ended.wallet:  # another was proved in the meantime
        return
    payload = {"wallet": "", "was": ended.wallet, "rule": ended.rule.code, "says": ended.rule.says}
    agent.owner_wallet, agent.owner_proved_at = "", None
    event_log.record_agent_step(agent=agent, step=Step.UNPROVED, payload=payload, by=by, now=now)
    agent.save(update_fields=["owner_wallet", "owner_proved_at"])


def _serialize_credential(claims: Claims) -> dict[str, Any]:
    """Return the credential in the names of CredentialOut."""
    return {
        "agent_id": claims.agent_id,
        "jti": claims.jti,
        "issued_at": claims.issued_at,
        "expires_at": claims.expires_at,
        "mandate_id": claims.mandate_id,
        "attestation": {
            "kya_level": claims.kya_level,
            "owner_verified": claims.owner_verified,
            "mandate_active": claims.mandate_active,
            "fatf_compliant": claims.fatf_compliant,
            "daily_cap_usd": claims.daily_cap,
            "max_notional_usd": claims.max_notional,
        },
        "signature": sign_credential(serialize_claims(claims)),
    }
