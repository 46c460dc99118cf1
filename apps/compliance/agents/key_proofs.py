"""Proof of control of a key that is the agent's own; that of its owner is in `wallets`."""

import base64
import hashlib
from datetime import datetime
from typing import Any

import jwt
from jwt import PyJWK

from apps.compliance.agents.credential_claims import ISSUER
from apps.compliance.agents.problems import ProofRefused
from apps.compliance.agents.rules.owner_proofs import FRESH
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.crypto.canonical import canonical_json

PROOF_TYPE = "kya-proof+jwt"
ALGORITHMS = ("EdDSA", "ES256")


def verify_key_proof(*, agent_id: str, proof: str, now: datetime) -> str:
    """Return the JWK thumbprint (RFC 7638) of the key that signed a fresh proof for this agent.

    A compact JWS of type `kya-proof+jwt` with the public key as `jwk` in its header, `aud`
    compliance-oracle, `sub` the agent and `iat` at most five minutes away. ProofRefused (422).
    """
    try:
        header = jwt.get_unverified_header(proof)
        if header.get("typ") != PROOF_TYPE or header.get("alg") not in ALGORITHMS:
            raise ProofRefused(f"A key proof is a JWS of type {PROOF_TYPE}, EdDSA or ES256.")
        public = header["jwk"]
        # `d` would be the private key
        if not isinstance(public, dict) or "d" in public:
            raise ProofRefused("A key proof must carry its public key as `jwk`, and no other key.")
        payload = dict(
            jwt.decode(
                proof,
                # the key of the token itself, which proves nothing but that the sender holds it:
                # that is the point here
                PyJWK(public, algorithm=header["alg"]),
                algorithms=[header["alg"]],
                audience=ISSUER,
                subject=agent_id,
                options={
                    "require": ["aud", "sub", "iat"],
                    "verify_iat": False,  # by the caller's clock
                    "verify_exp": False,
                },
            )
        )
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        raise ProofRefused("The signature of the key proof is not valid.") from None
    # either way: the clock of an agent is not ours
    if (
        not isinstance(payload["iat"], int)
        or abs(payload["iat"] - to_epoch_seconds(now)) > FRESH.total_seconds()
    ):
        raise ProofRefused("The key proof was not made within the last five minutes.")
    return jwk_thumbprint(header["jwk"])


def jwk_thumbprint(public: dict[str, Any]) -> str:
    """Return the SHA-256 thumbprint of a public JWK (RFC 7638)."""
    # RFC 7638: the required members alone, in alphabetical order
    names = {"OKP": ("crv", "kty", "x"), "EC": ("crv", "kty", "x", "y")}[public["kty"]]
    raw = hashlib.sha256(canonical_json({name: public[name] for name in names})).digest()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
