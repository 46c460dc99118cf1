"""Cuts away what stands around a name: labels, titles, references, purposes and addresses."""

import re
from functools import lru_cache

from apps.names.field.phrasebook import Phrasebook, phrase, places
from apps.names.field.telling import (
    before_places,
    begins_with_legal_form,
    first_words_of,
    has_digit,
    has_legal_form,
    is_company,
    is_place,
    is_telling,
    may_hold,
    phrases,
    words,
)
from apps.names.words.titles import TITLES
from apps.watchlists.namefield import tail_words

# a number, or a code with three digits: `3x` and `4Less` are words of names
_NUMBER = re.compile(
    r"(?<=\s)(?:[#+]?\d[\d./:-]*|\S+@\S+|(?:www\.|https?:)\S+|(?=(?:[^\s,\d]*\d){3})[^\s,]+)(?=[\s,]|$)"
)
_LEADING_NUMBER = re.compile(
    r"^(?:[\d./#-]+|[A-Z]*[\d./-]+[A-Z\d/-]*(?=\s))[\s:,;/-]*", re.IGNORECASE
)
_EDGE = " ,:;/\\-–—_*#'"
_LISTED = re.compile(r"&|\+|\b(?:and|und|et|y|e)\b", re.IGNORECASE)
_TITLED = 12  # letters within which a title begins
_SHORT_FIRST = 2  # words of a family name before a comma
_SHORT_SECOND = 4  # words of given names behind it


def opened(text: str) -> str:
    """Return a text without the label or reference before its name, if a name is left."""
    without = _behind_reference(_labels().sub("", text))
    return without if is_telling(without) else text


def untitled(text: str) -> str:
    """Return a name without the titles before it, if a name of two words is left.

    Words of companies are none: `General Electric`, `Major Drilling`.
    """
    if not may_hold(text[:_TITLED], _title_words()) or is_company(text):
        return text
    without = _titles().sub("", text).strip(_EDGE)
    return without if len(words(without)) > 1 else text


def heads(text: str) -> list[str]:
    """Return the name, or each reading of where it ends, before what is no part of it.

    A reference or purpose of payment ends it, a number, a place, a street, an office. Empty when
    nothing is behind the name.
    """
    name = _before_reference(text)
    readings = _before_address(name) or [before_places(name) or name]
    found = [one for reading in readings for one in (reading, _before_number(reading))]
    return list(dict.fromkeys(one for one in found if one != text and is_telling(one)))


def _before_reference(text: str) -> str:
    match = _reference(text)
    if match and is_telling(text[: match.start()]):
        return text[: match.start()].strip(_EDGE)
    return text


def _behind_reference(text: str) -> str:
    """Return what stands behind a word and number that a text begins with: `INV 12 NAME`."""
    match = _references().match(text, 0)
    if match is None:
        return text
    behind = text[match.end() :]
    without = _LEADING_NUMBER.sub("", behind)
    return without if without != behind and is_telling(without) else text


def _before_number(text: str) -> str:
    """Return what stands before the first number behind a name, and before what numbers it."""
    match = _NUMBER.search(text)
    if match is None or (_is_form_or_class(text[match.end() :])):
        return text
    before = text[: match.start()].split()
    while len(before) > 1 and before[-1].lower().strip(",:") in _unit_words():
        before.pop()
    head = " ".join(before).strip(_EDGE)
    return head if is_telling(head) else text


def _is_form_or_class(behind: str) -> bool:
    """Return whether words of a company go on behind a number: `21 Holdings`, `1993 Ltd`."""
    return bool(words(behind)) and not has_digit(behind) and not is_telling(behind)


def _before_address(text: str) -> list[str]:
    """Return the readings of a text with commas whose last stretches are an address or office."""
    first, *rest = [one.strip() for one in text.split(",") if one.strip()] or [""]
    while rest and begins_with_legal_form(rest[0]):  # the comma of `Acme, Inc.`
        first = f"{first}, {rest.pop(0)}"
    if not rest or not (any(map(_is_elsewhere, rest)) or _is_address_of(first, rest)):
        return []
    given = len(words(first)) <= _SHORT_FIRST and len(rest) > 1 and _is_given(rest[0])
    return [f"{first}, {rest[0]}", first] if given else [first]


def _is_address_of(name: str, rest: list[str]) -> bool:
    """Return whether what follows an organisation's name goes on about something else."""
    behind = ", ".join(rest)
    if _LISTED.search(behind) or is_company(behind):
        return False
    return has_legal_form(name) or (len(words(name)) > 1 and is_company(name))


def _is_given(text: str) -> bool:
    return len(words(text)) <= _SHORT_SECOND and not _is_elsewhere(text)


def _is_elsewhere(text: str) -> bool:
    """Return whether a stretch between commas speaks of a place, street, number or office."""
    if has_digit(text) or is_place(text) or streets().search(text):
        return True
    last = words(text)[-1:]
    return bool(last) and len(words(text)) > 1 and is_place(last[0])


def _alternatives(table: str) -> str:
    ordered = sorted(set(phrases(table)), key=len, reverse=True)
    return "|".join(map(_spaced, ordered))


def _spaced(written: str) -> str:
    return re.escape(written).replace(r"\ ", r"\s+")


@lru_cache(maxsize=1)
def _labels() -> "re.Pattern[str]":
    labels = _alternatives(tail_words.LABELS)
    return re.compile(rf"^\W*+(?:(?:{labels})\s*[:：]\s*|field\s\d+\w?\s?:\s*)+", re.IGNORECASE)


def _reference(text: str) -> "re.Match[str] | None":
    """Return the first word and number, or purpose of payment, in a text."""
    found = (_references().match(text, place) for place in places(text))
    return next((one for one in found if one), None)


def referred(text: str) -> list[tuple[int, int]]:
    """Return where references and purposes of payment begin and end in a text."""
    found = (_references().match(text, place) for place in places(text))
    return [one.span() for one in found if one]


@lru_cache(maxsize=1)
def _references() -> Phrasebook:
    """Return what begins a reference (a word and a number) or a purpose."""
    number = r"\.?(?:\s?(?:no|nr|num|number|n°|nº|№)\b)?[\s.:#/=-]*(?=[^\s,]*\d)"
    listed = [
        phrase(group="of", written=one, pattern=rf"(?<![\w'’]){_spaced(one)}{behind}")
        for table, behind in ((tail_words.REFERENCES, number), (tail_words.PURPOSES, r"(?!\w)"))
        for one in sorted(set(phrases(table)), key=len, reverse=True)
    ]
    return Phrasebook(listed)


@lru_cache(maxsize=1)
def streets() -> "re.Pattern[str]":
    """Return the words of addresses and of offices."""
    table = f"{tail_words.STREETS}, {tail_words.BRANCHES}"
    return re.compile(rf"(?<!\w)(?:{_alternatives(table)})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _titles() -> "re.Pattern[str]":
    return re.compile(rf"^(?:[\s,.]*(?:{_alternatives(TITLES)})(?!\w)\.?)+\s*", re.IGNORECASE)


@lru_cache(maxsize=1)
def _title_words() -> frozenset[str]:
    return first_words_of(phrases(TITLES))


@lru_cache(maxsize=1)
def _unit_words() -> frozenset[str]:
    return frozenset(one.strip() for one in tail_words.UNIT_WORDS.split(","))
