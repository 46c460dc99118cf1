"""Reads a name field: the names in it, the identifiers, and what could not be read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from rigour.text.scripts import text_scripts

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.field.joint_holders import split_joint_holders
from apps.reference.names.field.placeholders import is_placeholder_name
from apps.reference.names.field.word_tests import (
    begins_with_legal_form,
    build_comparison_key,
    may_contain_phrase,
    strip_city_and_country,
    strip_legal_forms,
)
from apps.reference.names.scripts.text_cleaning import normalize_written_text
from apps.reference.watchlists.matching.name_normalization import MAX_CHARACTERS
from apps.reference.watchlists.namefield.clauses import Clause, split_clauses
from apps.reference.watchlists.namefield.disguises import (
    UndisguisedText,
    iter_site_names,
    may_be_run_together,
    read_without_odd_signs,
    undisguise_text,
)
from apps.reference.watchlists.namefield.dividers import split_at_colons
from apps.reference.watchlists.namefield.dividing_words import collect_dividing_words
from apps.reference.watchlists.namefield.identifiers import BIC_LENGTHS, extract_identifiers
from apps.reference.watchlists.namefield.name_candidates import iter_leftovers
from apps.reference.watchlists.namefield.parts import READINGS, Kind, NameField, NamePart
from apps.reference.watchlists.namefield.payment_words import split_at_kinship, strip_edges
from apps.reference.watchlists.namefield.script_readings import (
    add_script_readings,
    describe_uncertain_readings,
)
from apps.reference.watchlists.namefield.separators import MANY, replace_separators
from apps.reference.watchlists.namefield.trimmer import find_name_heads, strip_label, strip_titles
from apps.reference.watchlists.namefield.unread_parts import NO_NAME, describe_unread
from apps.reference.watchlists.namefield.vessels import extract_vessel_name

MOST_PARTS = 8  # hardly any name on a list or in a register gives more
LONGEST_TEXT, MOST_OF_TEXT = 32, 4  # words that a name field has at most, and names of one longer
MOST_SCRIPTS, MOST_OF_SCRIPTS = 3, 2  # scripts of a name, and names searched where there are more
_JAPANESE_BESIDE_HAN = frozenset({"Hiragana", "Katakana"})
MOST_LETTERS = 2 * MAX_CHARACTERS  # of all names of a field together
MOST_READINGS = 8  # of characters in a field
TOO_MANY = "only {} of the names in the field are compared."
_NUMBERED = re.compile(r"\s\d{1,3}$")  # of a ship it is a part of the name: `GRACE 1`
_PLAIN = re.compile(
    r"(?=[A-Za-z.]*[A-Za-z]{2})[A-Za-z]+(?:[ .'-]+[A-Za-z]+){0,7}\.?(?:, ?[A-Za-z. ]+)?"
)
_PLAIN_DOTS = 3
_WORD = re.compile(r"[^\W_]+")
_READ = 64  # cached fields: a screen reads each for sanctions, PEPs and its records
_PLAIN_LENGTH = 100


@lru_cache(maxsize=_READ)
def parse_name_field(text: str) -> NameField:
    """Return the parts of a name field to search, its identifiers, and sentences on what is unread.

    The first part is the name itself. Never raises; a field without any name is one part.
    """
    # most fields are plain names, which need none of the work below
    if _is_plain_name(text):
        plainly = tuple(add_script_readings([NamePart(text)]))
        return NameField(
            plainly, extract_identifiers(text)[0], (NO_NAME,) if is_placeholder_name(text) else ()
        )
    written = normalize_written_text(text)
    identifiers, without = extract_identifiers(written)
    clean = undisguise_text(without)
    readings, odd = read_without_odd_signs(text)
    if (apart := replace_separators(written)) != written:
        readings = [*readings, apart]
    # identifiers that were cut out belong to the field as written, which is searched whole
    spoken = written if without != written else clean.text
    parts = _iter_all_parts(clean, whole=spoken, readings=readings)
    # a text that is hardly a name yields fewer names to search
    if len(text_scripts(clean.text) - _JAPANESE_BESIDE_HAN) > MOST_SCRIPTS:
        most = MOST_OF_SCRIPTS
    else:
        most = MOST_PARTS if len(_WORD.findall(clean.text)) <= LONGEST_TEXT else MOST_OF_TEXT
    every = _select_distinct_parts(add_script_readings(parts), most=most)
    if any(identifier.kind == "imo" for identifier in identifiers):
        every = (replace(every[0], schema_hint="Vessel"), *every[1:])
    unread = [
        *odd,
        *clean.unread,
        *describe_unread(clean.text, every),
        *describe_uncertain_readings(every),
    ]
    compared = limit_parts(every, most=most)
    if len(every) > len(compared):
        unread.append(TOO_MANY.format(len(compared)))
    return NameField(compared, identifiers, tuple(unread))


def _is_plain_name(text: str) -> bool:
    """Return quickly whether there is nothing in the text to divide, to find or to undo."""
    # eight or eleven letters may be a BIC
    if len(text) > _PLAIN_LENGTH or len(text) in BIC_LENGTHS or not _PLAIN.fullmatch(text):
        return False
    if may_be_run_together(text) or text.count("'") >= MANY or "www." in text.lower():
        return False
    _name, comma, behind = text.partition(",")
    if comma and not begins_with_legal_form(behind):
        return False
    if strip_city_and_country(text):
        return False
    return text.count(".") <= _PLAIN_DOTS and not may_contain_phrase(text, collect_dividing_words())


def _select_distinct_parts(parts: Iterable[NamePart], *, most: int) -> tuple[NamePart, ...]:
    """Return each part once; when there are too many, one more than are searched.

    What is read from Thai letters, Japanese characters and Hangul has a bound of its own.
    """
    kept: dict[str, NamePart] = {}
    names = readings = 0
    for part in parts:
        check_cpu_budget()
        told = (
            part.text
            if replace_separators(part.text) != part.text
            else build_comparison_key(part.text)
        )
        if told in kept or (kept and not strip_legal_forms(part.text)):  # `…, S. de R.L. de C.V.`
            continue
        if part.kind in READINGS:
            readings += 1
            if readings > MOST_READINGS:
                continue
        else:
            names += 1
        kept[told] = part
        # one more than are searched shows that there are more, without reading the rest
        if names > most:
            break
    return tuple(kept.values())


def limit_parts(every: tuple[NamePart, ...], *, most: int) -> tuple[NamePart, ...]:
    """Return the first parts, `most` and `MOST_LETTERS` together at most; the first in any case."""
    lengths = accumulate(len(part.text) for part in every)
    names = accumulate(part.kind not in READINGS for part in every)
    parts = [
        part
        for part, length, number in zip(every, lengths, names, strict=True)
        if length <= MOST_LETTERS and number <= most
    ]
    return tuple(parts) or every[:1]


def _iter_all_parts(
    clean: UndisguisedText, *, whole: str, readings: list[str]
) -> Iterator[NamePart]:
    """Yield the parts of each reading of a field, then names in what was cut away from them."""
    found = []
    for part in _iter_text_parts(clean.text, whole=whole):
        found.append(part)
        yield part
    for reading in dict.fromkeys((*clean.readings, *readings)):
        yield from _iter_text_parts(reading, whole=reading)
    names = [f" {build_comparison_key(part.text)} " for part in found if part.kind != "WHOLE"]
    for leftover in iter_leftovers(clean.text):
        if leftover.purposed or not any(
            f" {build_comparison_key(leftover.text)} " in name for name in names
        ):
            yield NamePart(leftover.text, "SEGMENT")
    for site in iter_site_names(clean.text):
        yield NamePart(site, "SEGMENT")


def _iter_text_parts(text: str, *, whole: str) -> Iterator[NamePart]:
    """Yield the names of a text in order, then the whole text if it was divided."""
    first = None
    for clause in split_clauses(text):
        for part in _iter_clause_names(clause):
            first = first or part
            yield part
    if first is None or build_comparison_key(first.text) != build_comparison_key(whole):
        yield NamePart(whole.strip(), "WHOLE" if first else "MAIN")


def _iter_clause_names(clause: Clause) -> Iterator[NamePart]:
    """Yield the names of one clause without surrounding words, holders one by one."""
    if ship := extract_vessel_name(clause.text):
        numbered = [ship] if _NUMBERED.search(ship) else []
        for one in dict.fromkeys([*(find_name_heads(ship) or [ship]), *numbered]):
            yield NamePart(one, clause.kind, "Vessel")
        return
    for number, stretch in enumerate(split_at_colons(strip_label(clause.text))):
        kind: Kind = "HOLDER" if number else clause.kind
        for reading in find_name_heads(stretch) or [stretch]:
            name = strip_titles(strip_edges(reading))
            if sides := split_at_kinship(name):
                yield from _iter_kin_parts(sides, kind)
                continue
            joint = split_joint_holders(name)
            for one in joint or [name]:
                yield NamePart(strip_titles(one), "HOLDER" if joint else kind)


def _iter_kin_parts(sides: list[str], kind: Kind) -> Iterator[NamePart]:
    """Yield the party that a field names by its kin, and the kin, who is another."""
    for number, side in enumerate(sides):
        if side:
            yield NamePart(strip_edges(strip_titles(side)), "SEGMENT" if number else kind)
