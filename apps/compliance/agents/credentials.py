"""Credentials of agents: issued for an hour, and checked wherever one is shown."""

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from apps.compliance.agents import event_log, mandate_limits
from apps.compliance.agents.credential_claims import (
    AUDIENCE,
    LIFETIME,
    Claims,
    decode_claims_jwt,
    epoch_milliseconds,
    is_signature_valid,
    serialize_claims,
)
from apps.compliance.agents.models import Agent, Credential, Mandate, Step
from apps.compliance.agents.owner_screening import is_owner_under_review
from apps.compliance.agents.problems import AgentRevoked, CredentialExpired, CredentialInvalid
from apps.compliance.agents.rules.levels import is_fatf_compliant
from apps.compliance.agents.selectors import integrity_checked_agents
from apps.platform.common.strict_json import MalformedJson, parse_json

HEADER = "X-Agent-Credential"
# characters of the header
LONGEST = 8192
LEEWAY = 60_000  # milliseconds by which clocks of our own hosts may differ
# a compact JWS: three parts of base64url
_TOKEN = re.compile(r"[\w-]+\.[\w-]+\.[\w-]+", re.ASCII)
_ENCODED = re.compile(r"[\w+/-]+={0,2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class VerifiedCredential:
    """A valid credential: the agent as it is now, and its attested claims."""

    agent: Agent
    credential: Credential
    claims: Mapping[str, Any]


def issue_credential(
    *, agent: Agent, mandate: Mandate | None, audience: str, by: str, now: datetime
) -> Claims:
    """Issue a credential; call it with the agent locked, after its level was judged."""
    issued = epoch_milliseconds(now)
    # judged now: the level may have fallen in this very call
    active = mandate_limits.is_mandate_active(agent, mandate)
    limits = mandate_limits.effective_limits(agent, mandate if active else None)
    claims = Claims(
        jti=str(uuid4()),
        agent_id=agent.agent_id,
        issued_at=issued,
        expires_at=epoch_milliseconds(now + LIFETIME),
        mandate_id=mandate.mandate_id if mandate else None,
        kya_level=agent.level,
        owner_verified=agent.owner_verified,
        mandate_active=active,
        fatf_compliant=is_fatf_compliant(
            level=agent.level, mandated=active, reviewed=is_owner_under_review(agent)
        ),
        daily_cap=limits.daily_cap,
        max_notional=limits.max_notional,
        audience=audience,
        key=agent.key_thumbprint,
        # only while the owner is verified: a wallet alone would look like a proof
        wallet=agent.owner_wallet if agent.owner_verified else "",
    )
    Credential.objects.create(
        jti=claims.jti,
        agent=agent,
        mandate=mandate,
        level=claims.kya_level,
        audience=claims.audience,
        issued_at=now,
        expires_at=now + LIFETIME,
    )
    payload = serialize_claims(claims) | {"audience": claims.audience, "key": claims.key}
    event_log.record_agent_step(
        agent=agent, step=Step.CREDENTIAL, payload=payload, by=by, now=now, about=claims.jti
    )
    return claims


def verify_credential(text: str, *, now: datetime, audience: str = AUDIENCE) -> VerifiedCredential:
    """Return what a shown credential proves: a JWT, or the HMAC form as JSON or base64 of it.

    Raises CredentialInvalid and CredentialExpired (401), AgentRevoked (403), AgentIntegrityError
    (503). It counts for its audience alone, from the moment of issue up to, not at, its end; and no
    longer than its agent does.
    """
    claims_received = _parse_credential(text.strip(), audience)
    if claims_received is None:
        raise CredentialInvalid("This is not a credential of this platform, or it was altered.")
    # a signature alone is not enough: each credential that was issued has a row
    credential = _find_issued(claims_received)
    if credential is None:
        raise CredentialInvalid("This credential was not issued here.")
    moment, begins, ends = (
        epoch_milliseconds(now),
        claims_received["issuedAt"],
        claims_received["expiresAt"],
    )
    if credential.audience != audience:  # the HMAC form does not say for whom it is
        raise CredentialInvalid("This credential was issued for a different audience.")
    # before its status is believed: a revocation that was undone in the database must not pass
    integrity_checked_agents.verify_agent(credential.agent)
    if moment < begins - LEEWAY:
        raise CredentialInvalid("This credential is not valid yet.")
    # before the expiry: who asks why must learn that verifying again is no help
    if credential.agent.revoked:
        raise AgentRevoked("The agent is revoked: none of its credentials is valid.")
    if moment >= ends:
        raise CredentialExpired("This credential has expired: verify the agent again.")
    return VerifiedCredential(credential.agent, credential, claims_received)


def agent_id_of_credential(text: str, now: datetime) -> str:
    """Return the id of the agent that a credential is of; raises what `verify_credential`
    raises.
    """
    return verify_credential(text, now=now).agent.agent_id


def _parse_credential(text: str, audience: str) -> dict[str, Any] | None:
    """Return what a text says, if it was signed here."""
    if len(text) > LONGEST:
        return None
    if _TOKEN.fullmatch(text):
        return decode_claims_jwt(text, audience=audience)
    # JSON as it was answered, or base64 of it
    raw = text.encode() if text.startswith("{") else _decode_base64(text)
    try:
        document = parse_json(raw) if raw else None
    except MalformedJson:
        return None
    return document if isinstance(document, dict) and is_signature_valid(document) else None


def _decode_base64(text: str) -> bytes:
    """Decode base64 of either alphabet, padded or not; empty for invalid text."""
    if not _ENCODED.fullmatch(text):
        return b""
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        return b""


def _find_issued(claims_received: Mapping[str, Any]) -> Credential | None:
    """Return the credential that was issued with this id to this agent."""
    try:
        jti = UUID(str(claims_received["jti"]))
    except (KeyError, ValueError):
        return None
    credentials = Credential.objects.select_related("agent").filter(jti=jti)
    return credentials.filter(agent__agent_id=str(claims_received.get("agentId", ""))).first()
