"""Trim what surrounds a name: labels, titles, references, purposes and addresses."""

import re
from functools import lru_cache

from apps.reference.names.field.phrasebook import Phrasebook, build_phrase, iter_phrase_starts
from apps.reference.names.field.word_tests import (
    begins_with_legal_form,
    collect_first_words,
    has_digit,
    has_legal_form,
    is_company_name,
    is_distinctive_name,
    is_place_name,
    may_contain_phrase,
    parse_phrases,
    split_words,
    strip_city_and_country,
)
from apps.reference.names.words.titles import TITLES
from apps.reference.watchlists.namefield import tail_words
from apps.reference.watchlists.namefield.clauses import EDGE_SIGNS

# a number, or a code with three digits: `3x` and `4Less` are words of names
_NUMBER = re.compile(
    r"(?<=\s)(?:[#+]?\d[\d./:-]*|\S+@\S+|(?:www\.|https?:)\S+|(?=(?:[^\s,\d]*\d){3})[^\s,]+)(?=[\s,]|$)"
)
_LEADING_NUMBER = re.compile(
    r"^(?:[\d./#-]+|[A-Z]*[\d./-]+[A-Z\d/-]*(?=\s))[\s:,;/-]*", re.IGNORECASE
)
_LISTED = re.compile(r"&|\+|\b(?:and|und|et|y|e)\b", re.IGNORECASE)
_TITLED = 12  # letters within which a title begins
_SHORT_FIRST = 2  # words of a family name before a comma
_SHORT_SECOND = 4  # words of given names behind it


def strip_label(text: str) -> str:
    """Return a text without the label or reference before its name, if a name is left."""
    without = _skip_leading_reference(_label_pattern().sub("", text))
    return without if is_distinctive_name(without) else text


def strip_titles(text: str) -> str:
    """Return a name without the titles before it, if a name of two words is left.

    Words of companies are none: `General Electric`, `Major Drilling`.
    """
    if not may_contain_phrase(text[:_TITLED], _title_words()) or is_company_name(text):
        return text
    without = _title_pattern().sub("", text).strip(EDGE_SIGNS)
    return without if len(split_words(without)) > 1 else text


def find_name_heads(text: str) -> list[str]:
    """Return the name, or each reading of where it ends, before what is no part of it.

    A reference or purpose of payment ends it, a number, a place, a street, an office. Empty when
    nothing is behind the name.
    """
    name = _cut_at_reference(text)
    place = strip_city_and_country(name)
    first, *rest = [one.strip() for one in name.split(",") if one.strip()] or [""]
    while rest and begins_with_legal_form(rest[0]):  # the comma of `Acme, Inc.`
        first = f"{first}, {rest.pop(0)}"
    if not rest or not (any(map(_is_place_or_address, rest)) or _is_address_of(first, rest)):
        cut_at_address = []
    else:
        given = (
            len(split_words(first)) <= _SHORT_FIRST
            and len(rest) > 1
            and _may_be_given_names(rest[0])
        )
        cut_at_address = [f"{first}, {rest[0]}", first] if given else [first]
    readings = cut_at_address or ([place] if place else _cut_at_branch(name))
    found = [one for reading in readings for one in (reading, _cut_at_number(reading))]
    return list(dict.fromkeys(one for one in found if one != text and is_distinctive_name(one)))


def _cut_at_reference(text: str) -> str:
    found = (_reference_phrasebook().match(text, place) for place in iter_phrase_starts(text))
    match = next((one for one in found if one), None)
    if match and is_distinctive_name(text[: match.start()]):
        return text[: match.start()].strip(EDGE_SIGNS)
    return text


def _skip_leading_reference(text: str) -> str:
    """Return the text after a leading word and number: `INV 12 NAME`."""
    match = _reference_phrasebook().match(text, 0)
    if match is None:
        return text
    behind = text[match.end() :]
    without = _LEADING_NUMBER.sub("", behind)
    return without if without != behind and is_distinctive_name(without) else text


def _cut_at_number(text: str) -> str:
    """Return the text before the first number after a name, and before its label."""
    match = _NUMBER.search(text)
    if match is None or (_is_form_or_class(text[match.end() :])):
        return text
    before = text[: match.start()].split()
    while len(before) > 1 and before[-1].lower().strip(",:") in _unit_words():
        before.pop()
    head = " ".join(before).strip(EDGE_SIGNS)
    return head if is_distinctive_name(head) else text


def _is_form_or_class(behind: str) -> bool:
    """Return whether words of a company go on behind a number: `21 Holdings`, `1993 Ltd`."""
    return bool(split_words(behind)) and not has_digit(behind) and not is_distinctive_name(behind)


def _cut_at_branch(text: str) -> list[str]:
    """Return a company's name before the word of its branch, and before the town of that too.

    `Bank Melli Iran Hamburg Branch` is the bank. Where no place is known the word before is taken
    for the town; the whole text is searched as well.
    """
    found = _branch_pattern().search(text)
    if found is None:
        return [text]
    company = text[: found.start()].split()
    towns = [size for size in (2, 1) if is_place_name(" ".join(company[-size:]))]
    names = (" ".join(company[: len(company) - size]) for size in (*(towns or [1]), 0))
    return [name for name in names if is_company_name(name) and len(name.split()) > 1] or [text]


def _is_address_of(name: str, rest: list[str]) -> bool:
    """Return whether what follows an organisation's name goes on about something else."""
    behind = ", ".join(rest)
    if _LISTED.search(behind) or is_company_name(behind):
        return False
    return has_legal_form(name) or (len(split_words(name)) > 1 and is_company_name(name))


def _may_be_given_names(text: str) -> bool:
    return len(split_words(text)) <= _SHORT_SECOND and not _is_place_or_address(text)


def _is_place_or_address(text: str) -> bool:
    """Return whether a stretch between commas speaks of a place, street, number or office."""
    if has_digit(text) or is_place_name(text) or street_pattern().search(text):
        return True
    last = split_words(text)[-1:]
    return bool(last) and len(split_words(text)) > 1 and is_place_name(last[0])


def _build_alternation(table: str) -> str:
    # an alternation takes the first that fits: the longest must come first
    ordered = sorted(set(parse_phrases(table)), key=len, reverse=True)
    return "|".join(map(_allow_any_blanks, ordered))


def _allow_any_blanks(written: str) -> str:
    return re.escape(written).replace(r"\ ", r"\s+")


@lru_cache(maxsize=1)
def _label_pattern() -> "re.Pattern[str]":
    labels = _build_alternation(tail_words.LABELS)
    # possessive (`*+`): no label begins with a sign, so giving signs back would only cost time
    return re.compile(rf"^\W*+(?:(?:{labels})\s*[:：]\s*|field\s\d+\w?\s?:\s*)+", re.IGNORECASE)


def find_reference_spans(text: str) -> list[tuple[int, int]]:
    """Return where references and purposes of payment begin and end in a text."""
    found = (_reference_phrasebook().match(text, place) for place in iter_phrase_starts(text))
    return [one.span() for one in found if one]


@lru_cache(maxsize=1)
def _reference_phrasebook() -> Phrasebook:
    """Return what begins a reference (a word and a number) or a purpose."""
    number = r"\.?(?:\s?(?:no|nr|num|number|n°|nº|№)\b)?[\s.:#/=-]*(?=[^\s,]*\d)"
    listed = [
        build_phrase(
            group="of", written=phrase, pattern=rf"(?<![\w'’]){_allow_any_blanks(phrase)}{behind}"
        )
        for table, behind in ((tail_words.REFERENCES, number), (tail_words.PURPOSES, r"(?!\w)"))
        for phrase in sorted(set(parse_phrases(table)), key=len, reverse=True)
    ]
    return Phrasebook(listed)


@lru_cache(maxsize=1)
def street_pattern() -> "re.Pattern[str]":
    """Return the words of addresses and of offices."""
    table = f"{tail_words.STREETS}, {tail_words.BRANCHES}"
    return re.compile(rf"(?<!\w)(?:{_build_alternation(table)})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _branch_pattern() -> "re.Pattern[str]":
    return re.compile(rf"[\s,]+(?:{_build_alternation(tail_words.BRANCHES)})[\s.]*$", re.IGNORECASE)


@lru_cache(maxsize=1)
def _title_pattern() -> "re.Pattern[str]":
    return re.compile(rf"^(?:[\s,.]*(?:{_build_alternation(TITLES)})(?!\w)\.?)+\s*", re.IGNORECASE)


@lru_cache(maxsize=1)
def _title_words() -> frozenset[str]:
    return collect_first_words(parse_phrases(TITLES))


@lru_cache(maxsize=1)
def _unit_words() -> frozenset[str]:
    return frozenset(one.strip() for one in tail_words.UNIT_WORDS.split(","))
