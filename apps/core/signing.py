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

from apps.core.canonical import canonical

ALGORITHM = "EdDSA"


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@lru_cache(maxsize=4)
def _keys(configured: str, production: bool, secret: str) -> dict[str, Ed25519PrivateKey]:
    """Parse `id:seed,…`; the first signs, the others still verify (rotation with overlap)."""
    if not configured:
        if production:
            raise ImproperlyConfigured(
                "ATTESTATION_KEYS is missing: set it to `id:seed`, the seed from "
                "`openssl rand -hex 32`."
            )
        seed = hashlib.sha256(b"attestation:" + secret.encode()).digest()
        return {"sandbox": Ed25519PrivateKey.from_private_bytes(seed)}
    found = {}
    for part in configured.split(","):
        name, _, seed_hex = part.strip().partition(":")
        try:
            seed = bytes.fromhex(seed_hex)
        except ValueError:
            seed = b""
        if not name or len(seed) != 32 or name in found:
            raise ImproperlyConfigured(
                "ATTESTATION_KEYS has a bad part: write `id:64 hex characters`, each id once."
            )
        found[name] = Ed25519PrivateKey.from_private_bytes(seed)
    return found


def keys() -> dict[str, Ed25519PrivateKey]:
    """Return the signing keys by id, the active one first."""
    return _keys(settings.ATTESTATION_KEYS, settings.PRODUCTION, settings.SECRET_KEY)


def attest(statement: dict[str, Any]) -> dict[str, Any]:
    """Return the statement with `signature` {keyId, algorithm, value} over its canonical form."""
    name, key = next(iter(keys().items()))
    signed = {"keyId": name, "algorithm": ALGORITHM, "value": _b64(key.sign(canonical(statement)))}
    return statement | {"signature": signed}


def detached(payload: bytes, **header: str) -> dict[str, str]:
    """Return a JWS of bytes that stand elsewhere (RFC 7515 appendix F): `protected`, `signature`.

    `header` is added to `alg` and `kid`; the active key signs.
    """
    name, key = next(iter(keys().items()))
    protected = _b64(canonical({"alg": ALGORITHM, "kid": name, **header}))
    signed = key.sign(f"{protected}.{_b64(payload)}".encode())
    return {"protected": protected, "signature": _b64(signed)}


def holds(attested: dict[str, Any]) -> bool:
    """Tell whether an attested statement was signed by one of our keys and not altered."""
    signature = attested.get("signature")
    if not isinstance(signature, dict) or signature.get("algorithm") != ALGORITHM:
        return False
    key = keys().get(str(signature.get("keyId", "")))
    if key is None:
        return False
    statement = {name: value for name, value in attested.items() if name != "signature"}
    try:
        key.public_key().verify(_unb64(str(signature.get("value", ""))), canonical(statement))
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def jwks() -> dict[str, Any]:
    """Return the public keys as a JSON Web Key Set (RFC 7517, RFC 8037)."""
    return {
        "keys": [
            {
                "kty": "OKP",
                "crv": "Ed25519",
                "use": "sig",
                "alg": ALGORITHM,
                "kid": name,
                "x": _b64(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)),
            }
            for name, key in keys().items()
        ]
    }
