"""Strict JSON: ambiguous or hostile input is refused before it is parsed."""

import json
import re
from decimal import Decimal, DecimalException
from itertools import accumulate
from typing import Any, NoReturn

from apps.platform.common.problems import DomainError

MAX_DEPTH = 32  # levels
LONGEST_NUMBER = 40  # characters, and the largest exponent
# strings, and characters that open or close no level; an unterminated string is matched whole,
# which keeps the search linear for any input
_NO_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[^"\[{\]}]+', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class MalformedJson(DomainError):
    """The body is not JSON that this API accepts."""

    status, code, title = 400, "malformed_json", "The body is not valid JSON"


def parse_number(text: str) -> int | Decimal:
    """Parse a number that came as a text, by the same rules as `parse_json` in a body.

    Raises ValueError for a text that is not a JSON number (`+1`, `.5`, `01`, ` 1`, `1_000`, `NaN`),
    and for a number that is too long or out of range.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError("this is not a number")
    return _parse_decimal(text) if any(match.groups()) else _parse_integer(text)


def parse_json(raw: bytes) -> Any:
    """Parse JSON bytes; numbers with a fraction become Decimal.

    Raises MalformedJson for bad syntax or encoding, duplicate keys, NaN and Infinity,
    numbers of more than 40 characters or with an exponent beyond 40, lone surrogates, and
    nesting deeper than 32.
    """
    # before parsing: with a raised recursion limit the parser would crash
    if _is_deeper_than(raw, MAX_DEPTH):
        raise MalformedJson(f"The body is nested deeper than {MAX_DEPTH} levels.")
    try:
        value = json.loads(
            raw.decode("utf-8"),
            object_pairs_hook=reject_duplicate_keys,
            parse_constant=reject_constant,
            parse_float=_parse_decimal,
            parse_int=_parse_integer,
        )
        if b"\\u" in raw:  # half of a surrogate pair cannot be stored or sent on
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise MalformedJson(f"The body is not valid JSON: {_describe_error(error)}") from None
    return value


def _describe_error(error: Exception) -> str:
    """Say what was wrong without quoting the bytes themselves."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, UnicodeEncodeError):
        return "an escape is half a character pair"
    return str(error)[:160]


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; ValueError if it has a key twice."""
    unique_pairs = dict(pairs)
    if len(unique_pairs) != len(pairs):
        raise ValueError("an object names the same key twice")
    return unique_pairs


def reject_constant(name: str) -> NoReturn:
    """Raise ValueError for NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{name} is not a JSON number")


def _parse_decimal(text: str) -> Decimal:
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    try:
        value = Decimal(text)
    except DecimalException as error:  # an exponent that no Decimal can hold
        raise ValueError("a number is out of range") from error
    exponent = value.as_tuple().exponent
    # 1e999999 written out is a megabyte
    if not isinstance(exponent, int) or abs(exponent) > LONGEST_NUMBER:
        raise ValueError("a number is out of range")
    return value


def _parse_integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return int(text)


def _is_deeper_than(raw: bytes, limit: int) -> bool:
    # counting is cheap, and shows of nearly every body that it cannot be too deep
    if raw.count(b"[") + raw.count(b"{") <= limit:
        return False
    brackets = _NO_BRACKETS.sub(b"", raw)
    return max(accumulate(1 if bracket in b"[{" else -1 for bracket in brackets), default=0) > limit
