"""The attestation of a check: a JWS that anybody can verify with our public keys, offline.

Compact serialization (RFC 7515) with EdDSA (RFC 8037) and the `kid` of a key in
`.well-known/jwks.json`. A submitted name is in it as a digest only.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import jwt

from apps.platform.common.clock import to_epoch_seconds
from apps.platform.crypto.signatures import ALGORITHM, build_jwks, signing_keys

TYPE = "vop+jwt"
ISSUER = "compliance-oracle"


class InvalidAttestation(Exception):
    """The attestation was not made by one of these keys, or was altered since."""


def sign_attestation(*, request_id: UUID, claims: Mapping[str, Any], now: datetime) -> str:
    """Return the compact JWS of a check's claims, under the active key."""
    name, key = next(iter(signing_keys().items()))
    body = {"iss": ISSUER, "jti": str(request_id), "iat": to_epoch_seconds(now), **claims}
    return jwt.encode(body, key, algorithm=ALGORITHM, headers={"kid": name, "typ": TYPE})


def read_key_id(token: str) -> str:
    """Return the `kid` that an attestation names; it proves nothing by itself."""
    return str(jwt.get_unverified_header(token).get("kid", ""))


def digest_submitted_name(name: str, request_id: UUID) -> str:
    """Return the salted digest that represents a submitted name in an attestation."""
    # an attestation can be passed on: who knows or guesses the name can check it; salted by the
    # requestId, so that two attestations of one name cannot be linked
    return hashlib.sha256(f"{request_id}\n{name}".encode()).hexdigest()


def verify_attestation(token: str, published: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the claims of an attestation; InvalidAttestation when it is not one of these keys'
    making.

    `published` is a JSON Web Key Set as we publish it; by default our own. An attestation does
    not run out: it says what was known at `iat`.
    """
    # a key is chosen by `kid` among published ones, never taken from the token
    keys = {key["kid"]: key for key in (published or build_jwks())["keys"]}
    try:
        header = jwt.get_unverified_header(token)
        # the same keys sign agents' credentials: their type must not pass for an attestation
        if header.get("typ") != TYPE:
            raise InvalidAttestation("This is not an attestation of a payee check.")
        known = keys.get(str(header.get("kid", "")))
        if known is None:
            raise InvalidAttestation("It names a key that is not published.")
        return dict(
            jwt.decode(
                token,
                jwt.PyJWK(known, algorithm=ALGORITHM),
                algorithms=[ALGORITHM],
                issuer=ISSUER,
                options={"require": ["iss", "jti", "iat"]},
            )
        )
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise InvalidAttestation("It was altered or is incomplete.") from error
