"""An agent is verified: its LEI is looked at again, and a credential is issued for an hour."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from apps.agents import claims as written
from apps.agents import (
    control,
    credentials,
    mandates,
    owners,
    recording,
    screening,
    showing,
    wallets,
)
from apps.agents.claims import AUDIENCE
from apps.agents.models import Agent, Step
from apps.agents.rules.levels import TIERS, Owner, Standing, judge
from apps.core.callers import Caller
from apps.core.pipeline import Refusal


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found before anything is written.

    `screened` is what the lists say of the owner today, `key` the thumbprint of a key that was
    proved, `proved` the owner's proof where one came, and `ended` why an earlier one holds no more.
    """

    owner: Owner
    screened: screening.Screened | None = None
    key: str = ""
    proved: wallets.Proved | None = None
    ended: wallets.Ended | None = None


def gather(*, asked: Any, now: datetime) -> Gathered | None:
    """Look at the agent's LEI, owner and proofs; None for an agent that is not there.

    Raises ListsUnavailable and ListsStale (503).
    """
    agent = Agent.objects.filter(agent_id=asked["agent_id"]).first()
    if agent is None:
        return None
    owner = owners.looked_up(
        entity=agent.owner_entity, email=agent.has_email, lei=agent.owner_lei, now=now
    )
    if agent.revoked:
        return Gathered(owner)
    found = screening.screened(owner=owner, now=now)
    key = ""
    if "key_proof" in asked:
        key = control.key_proved(agent_id=agent.agent_id, proof=asked["key_proof"], now=now)
    if "owner_proof" in asked:
        proved = wallets.proved(agent=agent, proof=asked["owner_proof"], now=now)
        return Gathered(owner, found, key, proved)
    return Gathered(owner, found, key, ended=wallets.ended(agent=agent, now=now))


def conclude(
    *, asked: Any, gathered: Gathered | None, caller: Caller, now: datetime
) -> dict[str, Any] | Refusal:
    """Judge the agent's level anew and issue its credential, see VerifiedOut.

    Nothing is issued to an agent whose owner is on a list by now: that is logged, and not said.
    """
    agent = mandates.mine(agent_id=asked["agent_id"], caller=caller)
    if agent.revoked or gathered is None:
        return _answer(agent) | {"verified": False, "credential": None, "credential_jwt": None}
    if gathered.screened is not None and gathered.screened.judgement.refused:
        return _refused(agent, gathered.owner, gathered.screened, now)
    _judged(agent, gathered.owner, caller.ref, now)
    _proved(agent, gathered, caller.ref, now)
    _ended(agent, gathered.ended, caller.ref, now)
    claims = credentials.issue(
        agent=agent,
        mandate=mandates.current(agent),
        audience=asked.get("audience", AUDIENCE),
        by=caller.ref,
        now=now,
    )
    said = _answer(agent) | {"verified": True, "credential_jwt": written.token(claims)}
    if gathered.ended:
        said["proof_note"] = f"The owner's proof holds no more. {gathered.ended.rule.says}"
    return said | {"credential": _signed(claims)}


def _refused(agent: Agent, owner: Owner, found: screening.Screened, now: datetime) -> Refusal:
    """Enter the agent into the SAR log, and say nothing of why."""
    screening.log_refused(
        asked={"name": agent.name},
        owner=owner,
        found=found,
        caller=agent.ref,
        now=now,
        ref=agent.agent_id,
    )
    return Refusal(screening.AgentRefused("No credential is issued to this agent."))


def _answer(agent: Agent) -> dict[str, Any]:
    tier = TIERS[agent.level]
    return {
        "agent_id": agent.agent_id,
        "status": agent.status,
        "kya_level": agent.level,
        "kya_score": tier.score,
        "lei_status": agent.lei_status,
        "tier_note": agent.note,
    } | showing.further("" if agent.revoked else tier.upgrade)


def _judged(agent: Agent, owner: Owner, by: str, now: datetime) -> None:
    """Set the level that follows today; a change is a step of its own, and is told."""
    standing, before = judge(owner), agent.level
    recording.found(agent=agent, owner=owner, standing=standing, now=now)
    if standing.level != before:
        agent.note = f"{_turn(before, standing)} {standing.note}"
        said = {"before": before, "leiStatus": agent.lei_status, "tierNote": agent.note}
        recording.record(agent=agent, step=Step.LEVEL, said=said, by=by, now=now)
    agent.save(update_fields=["level", "note", "lei_status", "lei_entity", "looked_at"])


def _turn(before: str, standing: Standing) -> str:
    fell = TIERS[standing.level].score < TIERS[before].score
    return f"The level {'fell' if fell else 'rose'} from {before} to {standing.level}."


def _proved(agent: Agent, gathered: Gathered, by: str, now: datetime) -> None:
    """Keep the proofs that hold."""
    said: dict[str, Any] = {}
    if gathered.key and gathered.key != agent.key_thumbprint:
        agent.key_thumbprint = said["key"] = gathered.key
    if gathered.proved:
        said |= asdict(gathered.proved)
        agent.owner_wallet, agent.owner_proved_at = gathered.proved.wallet, now
    if said:
        recording.record(agent=agent, step=Step.PROVED, said=said, by=by, now=now)
        agent.save(update_fields=["key_thumbprint", "owner_wallet", "owner_proved_at"])


def _ended(agent: Agent, ended: wallets.Ended | None, by: str, now: datetime) -> None:
    """Take back the proof of an owner whose wallet speaks for it no longer."""
    if ended is None or agent.owner_wallet != ended.wallet:  # another was proved meanwhile
        return
    said = {"wallet": "", "was": ended.wallet, "rule": ended.rule.code, "says": ended.rule.says}
    agent.owner_wallet, agent.owner_proved_at = "", None
    recording.record(agent=agent, step=Step.UNPROVED, said=said, by=by, now=now)
    agent.save(update_fields=["owner_wallet", "owner_proved_at"])


def _signed(claims: written.Claims) -> dict[str, Any]:
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
        "signature": written.signature(written.body(claims)),
    }
