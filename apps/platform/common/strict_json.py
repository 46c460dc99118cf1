"""Strict JSON: what is ambiguous or hostile is refused before anything reads it."""

import json
import re
from decimal import Decimal, DecimalException
from typing import Any, NoReturn

from apps.platform.common.problems import DomainError

MAX_DEPTH = 32
LONGEST_NUMBER = 40
# a text, or what opens or closes a level; a text without an end is taken whole, which keeps
# the search linear whatever the bytes are
_LEVELS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class MalformedJson(DomainError):
    """The body is not JSON that this API accepts."""

    status, code, title = 400, "malformed_json", "The body is not valid JSON"


def parse_number(text: str) -> int | Decimal:
    """Return a number that came as a text, as `parse_json` takes the same characters in a body.

    Raises ValueError for what is no JSON number (`+1`, `.5`, `01`, ` 1`, `1_000`, `NaN`), and for
    one that is too long or out of range.
    """
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise ValueError("this is no number")
    return _parse_decimal(text) if any(found.groups()) else _parse_integer(text)


def parse_json(raw: bytes) -> Any:
    """Parse JSON bytes; numbers with a fraction become Decimal.

    Raises MalformedJson for bad syntax or encoding, duplicate keys, NaN and Infinity,
    numbers of more than 40 characters or with an exponent beyond 40, lone surrogates, and
    nesting deeper than 32.
    """
    # before it is parsed: where Python's limit of recursion is raised, the parser would crash
    if _is_deeper_than(raw, MAX_DEPTH):
        raise MalformedJson(f"The body is nested deeper than {MAX_DEPTH} levels.")
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=_refuse_duplicate_keys,
            parse_constant=_refuse_constant,
            parse_float=_parse_decimal,
            parse_int=_parse_integer,
        )
        if b"\\u" in raw:  # half a character pair cannot be stored or sent on
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise MalformedJson(f"The body is not valid JSON: {_describe_error(error)}") from None
    return value


def _describe_error(error: Exception) -> str:
    """Say what was wrong without showing the bytes themselves."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, UnicodeEncodeError):
        return "an escape is half a character pair"
    return str(error)[:160]


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object names the same key twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _parse_decimal(text: str) -> Decimal:
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    try:
        value = Decimal(text)
    except DecimalException as error:  # an exponent that no Decimal holds
        raise ValueError("a number is out of range") from error
    exponent = value.as_tuple().exponent
    # written out, 1e999999 is a megabyte
    if not isinstance(exponent, int) or abs(exponent) > LONGEST_NUMBER:
        raise ValueError("a number is out of range")
    return value


def _parse_integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return int(text)


def _is_deeper_than(raw: bytes, limit: int) -> bool:
    if raw.count(b"[") + raw.count(b"{") <= limit:
        return False
    depth = 0
    for found in _LEVELS.finditer(raw):
        first = raw[found.start()]
        if first in b"[{":
            depth += 1
            if depth > limit:
                return True
        elif first in b"]}":
            depth -= 1
    return False
