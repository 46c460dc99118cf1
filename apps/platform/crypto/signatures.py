"""Attestations: statements signed with Ed25519, so that others can check them with a public key."""

import base64
import hashlib
from functools import lru_cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto.canonical import canonical_json

ALGORITHM = "EdDSA"


def _encode_base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@lru_cache(maxsize=4)
def _parse_signing_keys(
    configured: str, production: bool, secret: str
) -> dict[str, Ed25519PrivateKey]:
    """Parse `id:seed,…`; the first signs, the others still verify (rotation with overlap)."""
    if not configured:
        if production:
            raise ImproperlyConfigured(
                "ATTESTATION_KEYS is missing: set it to `id:seed`, the seed from "
                "`openssl rand -hex 32`."
            )
        seed = hashlib.sha256(b"attestation:" + secret.encode()).digest()
        return {"sandbox": Ed25519PrivateKey.from_private_bytes(seed)}
    private_keys = {}
    for part in configured.split(","):
        name, _, seed_hex = part.strip().partition(":")
        try:
            seed = bytes.fromhex(seed_hex)
        except ValueError:
            seed = b""
        if not name or len(seed) != 32 or name in private_keys:
            raise ImproperlyConfigured(
                "ATTESTATION_KEYS has a bad part: write `id:64 hex characters`, each id once."
            )
        private_keys[name] = Ed25519PrivateKey.from_private_bytes(seed)
    return private_keys


def signing_keys() -> dict[str, Ed25519PrivateKey]:
    """Return the signing keys by id, the active one first."""
    return _parse_signing_keys(settings.ATTESTATION_KEYS, settings.PRODUCTION, settings.SECRET_KEY)


def sign_statement(statement: dict[str, Any]) -> dict[str, Any]:
    """Return the statement with `signature` {keyId, algorithm, value} over its canonical form."""
    name, key = next(iter(signing_keys().items()))
    signed = {
        "keyId": name,
        "algorithm": ALGORITHM,
        "value": _encode_base64url(key.sign(canonical_json(statement))),
    }
    return statement | {"signature": signed}


def sign_detached(payload: bytes, **header: str) -> dict[str, str]:
    """Return a detached JWS (RFC 7515 appendix F) of some bytes: `protected`, `signature`.

    `header` is added to `alg` and `kid`; the active key signs.
    """
    name, key = next(iter(signing_keys().items()))
    protected = _encode_base64url(canonical_json({"alg": ALGORITHM, "kid": name, **header}))
    signed = key.sign(f"{protected}.{_encode_base64url(payload)}".encode())
    return {"protected": protected, "signature": _encode_base64url(signed)}


def is_signed_by_us(attested: dict[str, Any]) -> bool:
    """Tell whether an attested statement was signed by one of our keys and not altered."""
    signature = attested.get("signature")
    if not isinstance(signature, dict) or signature.get("algorithm") != ALGORITHM:
        return False
    # a key that was rotated out stays in the setting as long as its statements are to be checked
    key = signing_keys().get(str(signature.get("keyId", "")))
    if key is None:
        return False
    statement = {name: value for name, value in attested.items() if name != "signature"}
    try:
        text = str(signature.get("value", ""))
        # base64url without padding (RFC 7515 section 2); Python wants it back
        key.public_key().verify(
            base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), canonical_json(statement)
        )
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def build_jwks() -> dict[str, Any]:
    """Return the public keys as a JSON Web Key Set (RFC 7517, RFC 8037)."""
    return {
        "keys": [
            {
                "kty": "OKP",
                "crv": "Ed25519",
                "use": "sig",
                "alg": ALGORITHM,
                "kid": name,
                "x": _encode_base64url(
                    key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
                ),
            }
            for name, key in signing_keys().items()
        ]
    }
