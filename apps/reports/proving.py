"""How a buyer proves a report that somebody hands them: its digest, and our signature of it.

Both are of the report's JSON in the form of RFC 8785, without any header: whoever has the JSON can
make that form. The key of the signature is in `reports/.well-known/jwks.json`, by its `kid`.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from apps.core.signing import detached, keys

TYPE = "report+jws"
SMALL, LARGE = 1e-6, 1e21  # between these no exponent is written


def form(value: Any) -> bytes:
    """Return a body of plain JSON in the form of RFC 8785."""
    return _text(value).encode()


def digest(body: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a report, in hex."""
    return hashlib.sha256(form(body)).hexdigest()


def signature(body: Mapping[str, Any]) -> str:
    """Return a JWS of a report, which stands elsewhere (RFC 7515 appendix F): `header..value`."""
    signed = detached(form(body), typ=TYPE)
    return f"{signed['protected']}..{signed['signature']}"


def key_id() -> str:
    """Return the name of the key that signs now."""
    return next(iter(keys()))


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        ordered = sorted(value, key=lambda name: str(name).encode("utf-16-be"))
        return "{" + ",".join(f"{_plain(name)}:{_text(value[name])}" for name in ordered) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_text(one) for one in value) + "]"
    return _number(value) if isinstance(value, float) else _plain(value)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _number(value: float) -> str:
    """Write a number as ECMAScript does (RFC 8785 section 3.2.2.3)."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    if value and not SMALL <= abs(value) < LARGE:
        digits, _, power = repr(value).partition("e")
        return f"{digits.removesuffix('.0')}e{int(power):+d}"
    return format(Decimal(repr(value)), "f").removesuffix(".0").replace("-0", "0", not value)
