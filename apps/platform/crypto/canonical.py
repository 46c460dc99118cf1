"""One byte form for each value, so that its digest is the same everywhere."""

import hashlib
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID


def _to_json_value(value: Any) -> Any:
    if isinstance(value, Decimal):
        return format_decimal(value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise TypeError("a moment without a time zone has no canonical form")
        return (value if value.tzinfo is UTC else value.astimezone(UTC)).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


def format_decimal(value: Decimal) -> str:
    """Write a decimal without an exponent or trailing zeros, and never rounded."""
    if not value.is_finite():
        raise TypeError(f"{value} has no canonical form")
    if not value:
        return "0"
    # `str` would write small and large values with an exponent
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _refuse_floats(value: Any) -> None:
    """Search containers for floats; texts and whole numbers, which are most, cost one check."""
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return
    if isinstance(value, float):
        raise TypeError("a float has no exact canonical form; use Decimal")
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError("keys of a canonical object are texts")
            if type(inner) is not str:
                _refuse_floats(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            if type(inner) is not str:
                _refuse_floats(inner)


# texts as they are, not as \u escapes: one form in any language
_encode_json: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_to_json_value
).encode


def canonical_json(value: Any) -> bytes:
    """Return UTF-8 JSON with sorted keys and no spaces.

    Decimals become plain decimal texts, times ISO 8601 texts in UTC. TypeError for floats (two
    machines may print them differently), naive times and any other value without a single form.
    """
    _refuse_floats(value)
    return _encode_json(value).encode("utf-8")


def canonical_text(value: Any) -> str:
    """Return the canonical form of one value as text; plain values skip the encoder."""
    write = _TEXT_WRITERS.get(type(value))
    return write(value) if write else canonical_json(value).decode()


_TEXT_WRITERS: dict[type, Callable[[Any], str]] = {
    str: json.encoder.encode_basestring,
    int: repr,
    bool: lambda value: "true" if value else "false",
    type(None): lambda value: "null",
    UUID: lambda value: f'"{value}"',
    date: lambda value: f'"{value.isoformat()}"',
    Decimal: lambda value: f'"{format_decimal(value)}"',
    datetime: lambda value: f'"{_to_json_value(value)}"',
}


def canonical_digest(value: Any) -> str:
    """Return the SHA-256 of the canonical form, as 64 hex characters."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
