"""An agent is verified: its LEI is looked at again, and a credential is issued for an hour."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from apps.compliance.agents import claims as written
from apps.compliance.agents import (
    credentials,
    event_log,
    key_proofs,
    mandates,
    owner_proofs,
    owners,
    public_agents,
    screening,
)
from apps.compliance.agents.claims import AUDIENCE
from apps.compliance.agents.models import Agent, Step
from apps.compliance.agents.rules.levels import TIERS, AgentOwner, LevelJudgement, judge_owner
from apps.platform.api.answers import Refusal
from apps.platform.api.callers import Caller


@dataclass(frozen=True, slots=True)
class AgentVerificationInputs:
    """What was found before anything is written.

    `screened` is what the lists say of the owner today, `key` the thumbprint of a key that was
    proved, `proved` the owner's proof where one came, and `ended` why an earlier one holds no more.
    """

    owner: AgentOwner
    screened: screening.ScreenedOwner | None = None
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
    owner = owners.look_up_owner(
        entity=agent.owner_entity, email=agent.has_email, lei=agent.owner_lei, now=now
    )
    if agent.revoked:
        return AgentVerificationInputs(owner)
    found = screening.screen_owner(owner=owner, now=now)
    key = ""
    if "key_proof" in asked:
        key = key_proofs.verify_key_proof(
            agent_id=agent.agent_id, proof=asked["key_proof"], now=now
        )
    if "owner_proof" in asked:
        proved = owner_proofs.verify_owner_proof(agent=agent, proof=asked["owner_proof"], now=now)
        return AgentVerificationInputs(owner, found, key, proved)
    return AgentVerificationInputs(
        owner, found, key, ended=owner_proofs.find_ended_proof(agent=agent, now=now)
    )


def conclude_agent_verification(
    *, asked: Any, gathered: AgentVerificationInputs | None, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Judge the agent's level anew and issue its credential, see VerifiedOut.

    Nothing is issued to an agent whose owner is on a list by now: that is logged, and not said.
    """
    agent = mandates.lock_callers_agent(agent_id=asked["agent_id"], caller=caller)
    if agent.revoked or gathered is None:
        return _build_response(agent) | {
            "verified": False,
            "credential": None,
            "credential_jwt": None,
        }
    if gathered.screened is not None and gathered.screened.judgement.refused:
        # enter the agent into the SAR log, and say nothing of why
        screening.log_refused_agent(
            asked={"name": agent.name},
            owner=gathered.owner,
            found=gathered.screened,
            caller=agent.ref,
            now=now,
            ref=agent.agent_id,
        )
        return Refusal(screening.AgentRefused("No credential is issued to this agent."))
    _apply_level(agent, gathered.owner, caller.ref, now)
    _record_proofs(agent, gathered, caller.ref, now)
    _withdraw_owner_proof(agent, gathered.ended, caller.ref, now)
    claims = credentials.issue_credential(
        agent=agent,
        mandate=mandates.current_mandate(agent),
        audience=asked.get("audience", AUDIENCE),
        by=caller.ref,
        now=now,
    )
    said = _build_response(agent) | {
        "verified": True,
        "credential_jwt": written.encode_claims_jwt(claims),
    }
    if gathered.ended:
        said["proof_note"] = f"The owner's proof holds no more. {gathered.ended.rule.says}"
    return said | {"credential": _serialize_credential(claims)}


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
    """Set the level that follows today; a change is a step of its own, and is told."""
    standing, before = judge_owner(owner), agent.level
    event_log.apply_owner_findings(agent=agent, owner=owner, standing=standing, now=now)
    if standing.level != before:
        agent.note = f"{_describe_level_change(before, standing)} {standing.note}"
        said = {"before": before, "leiStatus": agent.lei_status, "tierNote": agent.note}
        event_log.record_agent_step(agent=agent, step=Step.LEVEL, said=said, by=by, now=now)
    agent.save(update_fields=["level", "note", "lei_status", "lei_entity", "looked_at"])


def _describe_level_change(before: str, standing: LevelJudgement) -> str:
    fell = TIERS[standing.level].score < TIERS[before].score
    return f"The level {'fell' if fell else 'rose'} from {before} to {standing.level}."


def _record_proofs(agent: Agent, gathered: AgentVerificationInputs, by: str, now: datetime) -> None:
    """Keep the proofs that hold."""
    said: dict[str, Any] = {}
    if gathered.key and gathered.key != agent.key_thumbprint:
        agent.key_thumbprint = said["key"] = gathered.key
    if gathered.proved:
        said |= asdict(gathered.proved)
        agent.owner_wallet, agent.owner_proved_at = gathered.proved.wallet, now
    if said:
        event_log.record_agent_step(agent=agent, step=Step.PROVED, said=said, by=by, now=now)
        agent.save(update_fields=["key_thumbprint", "owner_wallet", "owner_proved_at"])


def _withdraw_owner_proof(
    agent: Agent, ended: owner_proofs.EndedOwnerProof | None, by: str, now: datetime
) -> None:
    """Take back the proof of an owner whose wallet speaks for it no longer."""
    if ended is None or agent.owner_wallet != ended.wallet:  # another was proved meanwhile
        return
    said = {"wallet": "", "was": ended.wallet, "rule": ended.rule.code, "says": ended.rule.says}
    agent.owner_wallet, agent.owner_proved_at = "", None
    event_log.record_agent_step(agent=agent, step=Step.UNPROVED, said=said, by=by, now=now)
    agent.save(update_fields=["owner_wallet", "owner_proved_at"])


def _serialize_credential(claims: written.Claims) -> dict[str, Any]:
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
        "signature": written.sign_credential(written.serialize_claims(claims)),
    }
