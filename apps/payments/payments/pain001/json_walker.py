"""Walk JSON without building it: objects and arrays by their spans, values one at a time. Pure.

Numbers stay as they are written: the structure's types decide what is a valid decimal.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from apps.platform.common.strict_json import LONGEST_NUMBER, reject_constant, reject_duplicate_keys

# where a value begins, and where it ends
Span = tuple[int, int]

# levels, as libxml2 allows in XML
DEEPEST = 256
# far more than a message of the largest size has; each is a step of the walk
MOST_BRACKETS = 2_000_000
# what XML cannot hold either, and databases refuse (XML 1.0 section 2.2)
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# possessive quantifiers here and below: a hostile text must not make the matcher backtrack
_BLANK = re.compile(r"[ \t\r\n]*+")
# texts and the text between them are taken whole: one step per bracket
_BRACKET = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)


def _check_number_length(text: str) -> str:
    if len(text) > LONGEST_NUMBER:
        raise ValueError("a number is too long")
    return text


_DECODER = json.JSONDecoder(
    object_pairs_hook=reject_duplicate_keys,
    parse_float=_check_number_length,
    parse_int=_check_number_length,
    parse_constant=reject_constant,
)


class JsonWalker:
    """A JSON text; ValueError, in a few words, if it is invalid."""

    def __init__(self, text: str) -> None:
        # counted before anything is walked: it costs one pass in C
        if text.count("{") + text.count("[") > MOST_BRACKETS:
            raise ValueError("it has too many objects and arrays")
        self._text = text
        self._counted, self._lines = 0, 1

    def whole(self) -> Span:
        """Return where the only value of the text is; nothing may follow it."""
        span = self._span(self._skip(0))
        if self._skip(span[1]) != len(self._text):
            raise ValueError("the message is followed by other content")
        return span

    def value(self, span: Span) -> Any:
        """Return a value with all that is in it."""
        value, end = self._decoded(span[0])
        if end != span[1]:
            raise ValueError("brackets do not match")
        _reject_control_characters(value)
        return value

    def members(self, span: Span) -> Iterator[tuple[str, Span]]:
        """Yield each key of an object with the place of its value; no key comes twice."""
        if self._text[span[0]] != "{":
            raise ValueError("an object is required, but there is none")
        seen: set[str] = set()
        place = self._open(span, "}")
        while place < span[1] - 1:
            key, value = self._key(place)
            if key in seen:
                raise ValueError("an object names the same key twice")
            seen.add(key)
            object_span = self._span(value)
            yield key, object_span
            place = self._next(object_span[1], span, "}")

    def elements(self, span: Span) -> Iterator[Span]:
        """Yield the place of each value of an array; of a bare value, its own."""
        if self._text[span[0]] != "[":
            yield span
            return
        place = self._open(span, "]")
        while place < span[1] - 1:
            list_span = self._span(place)
            yield list_span
            place = self._next(list_span[1], span, "]")

    def line(self, span: Span) -> int:
        """Return the line where a value begins."""
        # counted on from the last value: for values in order the text is counted once in all
        if span[0] < self._counted:
            self._counted, self._lines = 0, 1
        self._lines += self._text.count("\n", self._counted, span[0])
        self._counted = span[0]
        return self._lines

    def _open(self, span: Span, closing: str) -> int:
        """Return the place of the first member, or of what closes."""
        if self._text[span[1] - 1] != closing:
            raise ValueError("brackets do not match")
        return self._skip(span[0] + 1)

    def _key(self, place: int) -> tuple[str, int]:
        """Return a key and where its value begins."""
        if self._text[place] != '"':
            raise ValueError("a key is missing")
        key, end = self._decoded(place)
        end = self._skip(end)
        if self._text[end : end + 1] != ":":
            raise ValueError("a colon is missing")
        return key, self._skip(end + 1)

    def _next(self, place: int, span: Span, closing: str) -> int:
        """Return the place of the next member behind a comma, or of what closes."""
        place = self._skip(place)
        if place == span[1] - 1:
            return place
        if self._text[place] != ",":
            raise ValueError("a comma is missing")
        place = self._skip(place + 1)
        if self._text[place] == closing:
            raise ValueError("a value is missing behind a comma")
        return place

    def _span(self, place: int) -> Span:
        """Return where a value ends, by its brackets alone; what is in it is read later."""
        if self._text[place : place + 1] not in ("{", "["):
            return place, self._decoded(place)[1]
        depth, end = 0, place
        while match := _BRACKET.match(self._text, end):
            end = match.end()
            depth += 1 if match.group(1) in "[{" else -1
            if not depth:
                return place, end
            if depth > DEEPEST:
                raise ValueError("it is nested too deeply")
        raise ValueError("it ends too early")

    def _decoded(self, place: int) -> tuple[Any, int]:
        try:
            return _DECODER.raw_decode(self._text, place)
        except json.JSONDecodeError as error:
            raise ValueError(f"{error.msg} (line {error.lineno})") from None

    def _skip(self, place: int) -> int:
        match = _BLANK.match(self._text, place)
        return match.end() if match else place


def _reject_control_characters(value: Any) -> None:
    """Refuse, in what escapes may write, half a character pair and what XML cannot hold."""
    if isinstance(value, str):
        # raises UnicodeEncodeError, a ValueError, for half of a surrogate pair
        if not value.isascii():
            value.encode("utf-8")
        if _UNFIT.search(value):
            raise ValueError("a text holds a control character")
    elif isinstance(value, dict):
        for name, inner in value.items():
            _reject_control_characters(name)
            _reject_control_characters(inner)
    elif isinstance(value, list):
        for inner in value:
            _reject_control_characters(inner)
