"""The proof of a report for third parties: its digest, and our signature of it.

Both cover the report's JSON in the form of RFC 8785, without any header: anybody with the JSON can
produce that form. The key of the signature is in `reports/.well-known/jwks.json`, by its `kid`.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.platform.crypto.signatures import sign_detached, signing_keys

JWS_TYPE = "report+jws"
# ECMAScript writes numbers from SMALL up to LARGE without an exponent
SMALL, LARGE = 1e-6, 1e21


def canonicalize_json(value: Any) -> bytes:
    """Return a body of plain JSON in the form of RFC 8785."""
    return _canonical_text(value).encode()


def digest_report(body: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a report, in hex."""
    return hashlib.sha256(canonicalize_json(body)).hexdigest()


def sign_report(body: Mapping[str, Any]) -> str:
    """Return a JWS of a report with detached content (RFC 7515 appendix F): `header..value`."""
    signed = sign_detached(canonicalize_json(body), typ=JWS_TYPE)
    return f"{signed['protected']}..{signed['signature']}"


def current_key_id() -> str:
    """Return the name of the key that signs now."""
    return next(iter(signing_keys()))


def _canonical_text(value: Any) -> str:
    if isinstance(value, Mapping):
        # RFC 8785 section 3.2.3 sorts names by UTF-16 code units, which differs from code points
        # beyond the basic plane
        ordered = sorted(value, key=lambda name: str(name).encode("utf-16-be"))
        return (
            "{"
            + ",".join(f"{_dump_json(name)}:{_canonical_text(value[name])}" for name in ordered)
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ",".join(_canonical_text(item) for item in value) + "]"
    return _format_json_number(value) if isinstance(value, float) else _dump_json(value)


def _dump_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _format_json_number(value: float) -> str:
    """Write a number as ECMAScript does (RFC 8785 section 3.2.2.3)."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a JSON number")
    if value and not SMALL <= abs(value) < LARGE:
        # Python writes 1e-07 where ECMAScript writes 1e-7
        digits, _, power = repr(value).partition("e")
        return f"{digits.removesuffix('.0')}e{int(power):+d}"
    # repr() gives the shortest digits, as ECMAScript does; -0 is written 0 (not value: replace
    # once)
    return format(Decimal(repr(value)), "f").removesuffix(".0").replace("-0", "0", not value)
