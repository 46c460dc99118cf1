"""Claims of an agent's credential, signed by HMAC for us and as a JWT for anybody.

docs/agents.md has the canonical form and how others check the JWT.
"""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import jwt

from apps.platform.api.representation import to_plain_json
from apps.platform.common.clock import EPOCH
from apps.platform.crypto import signatures
from apps.platform.crypto.canonical import canonical_json
from apps.platform.crypto.encryption import derive_key

ISSUER, AUDIENCE = "compliance-oracle", "settlement"
TYPE = "kya-credential+jwt"
LIFETIME = timedelta(hours=1)
PURPOSE = b"agent credentials"
# numbers on the wire that are signed as texts
CAPS = ("dailyCapUsd", "maxNotionalUsd")


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims about an agent for one hour; caps in USD, None means no limit.

    Moments are epoch milliseconds. `key` is the JWK thumbprint of the agent's own key, `wallet`
    that of the owner, each empty until it was proved.
    """

    jti: str
    agent_id: str
    issued_at: int
    expires_at: int
    mandate_id: str | None
    kya_level: str
    owner_verified: bool
    mandate_active: bool
    fatf_compliant: bool
    daily_cap: Decimal | None
    max_notional: Decimal | None
    audience: str = AUDIENCE
    key: str = ""
    wallet: str = ""


def epoch_milliseconds(moment: datetime) -> int:
    """Return a moment as whole epoch milliseconds."""
    return (moment - EPOCH) // timedelta(milliseconds=1)


def serialize_claims(claims: Claims) -> dict[str, Any]:
    """Return the claims as the wire names them, without a signature."""
    return {
        "agentId": claims.agent_id,
        "jti": claims.jti,
        "issuedAt": claims.issued_at,
        "expiresAt": claims.expires_at,
        "mandateId": claims.mandate_id,
        "attestation": {
            "kyaLevel": claims.kya_level,
            "ownerVerified": claims.owner_verified,
            "mandateActive": claims.mandate_active,
            "fatfCompliant": claims.fatf_compliant,
            "dailyCapUsd": claims.daily_cap,
            "maxNotionalUsd": claims.max_notional,
        },
    }


def canonical_credential(credential: Mapping[str, Any]) -> bytes:
    """Return the bytes that are signed: canonical JSON of all but `signature`, caps as texts.

    Raises TypeError, ValueError or KeyError for anything but a credential.
    """
    signed_claims = {name: value for name, value in credential.items() if name != "signature"}
    attested = dict(signed_claims["attestation"])
    for name in CAPS:
        cap = attested[name]
        if cap is not None:
            # a float is refused: parsed JSON must come with Decimals, or 0.1 would be signed as
            # something else
            if isinstance(cap, bool) or not isinstance(cap, Decimal | int):
                raise TypeError("a cap must be a number")
            # a number may be written in several ways (1E+3, 1000.0), this text in one
            attested[name] = canonical_json(Decimal(cap)).decode().strip('"')
    return canonical_json(signed_claims | {"attestation": attested})


def sign_credential(credential: Mapping[str, Any]) -> str:
    """Return the HMAC-SHA256 (64 hex characters) of a credential's signed form."""
    return hmac.digest(
        derive_key(purpose=PURPOSE), canonical_credential(credential), "sha256"
    ).hex()


def is_signature_valid(credential: Mapping[str, Any]) -> bool:
    """Return whether a credential was signed here and not altered since, in constant time."""
    # as bytes: compare_digest raises TypeError for text beyond ASCII
    signature = str(credential.get("signature", "")).encode()
    try:
        return hmac.compare_digest(sign_credential(credential).encode(), signature)
    # whatever else was sent has no signed form, and so no signature
    except (TypeError, ValueError, KeyError, ArithmeticError):
        return False


def encode_claims_jwt(claims: Claims) -> str:
    """Return the same claims as a compact JWS (EdDSA) under the active attestation key."""
    # the first is the active one; older ones only verify
    name, key = next(iter(signatures.signing_keys().items()))
    payload: dict[str, Any] = to_plain_json(serialize_claims(claims)) | {
        "iss": ISSUER,
        "sub": claims.agent_id,
        "aud": claims.audience,
        # seconds, as RFC 7519 has them, beside the milliseconds of the specification
        "iat": claims.issued_at // 1000,
        "exp": claims.expires_at // 1000,
    }
    if claims.key:
        payload["cnf"] = {"jkt": claims.key}
    if claims.wallet:
        payload["wallet"] = claims.wallet
    headers = {"kid": name, "typ": TYPE}
    return jwt.encode(payload, key, algorithm=signatures.ALGORITHM, headers=headers)


def decode_claims_jwt(text: str, *, audience: str) -> dict[str, Any] | None:
    """Return the content of our JWT; None for any other. Its expiry is not checked."""
    try:
        header = jwt.get_unverified_header(text)
        key = signatures.signing_keys().get(str(header.get("kid", "")))
        # the same keys sign attestations of payees: their type must not pass for a credential
        if key is None or header.get("typ") != TYPE:
            return None
        payload: dict[str, Any] = jwt.decode(
            text,
            key.public_key(),
            algorithms=[signatures.ALGORITHM],
            issuer=ISSUER,
            audience=audience,
            options={
                "require": ["iss", "sub", "aud", "iat", "exp", "jti"],
                # by the caller's clock, in milliseconds
                "verify_exp": False,
                "verify_iat": False,
            },
        )
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    return payload
