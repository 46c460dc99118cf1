"""Reads a name field: the names in it, the identifiers, and what could not be read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from apps.names.field.holders import holders
from apps.names.field.telling import (
    before_places,
    begins_with_legal_form,
    key,
    may_hold,
)
from apps.names.scripts.letters import plain
from apps.watchlists.namefield.clauses import Clause, clauses
from apps.watchlists.namefield.codes import BIC_LENGTHS, found_in
from apps.watchlists.namefield.disguises import (
    Undisguised,
    is_run_on,
    oddities,
    sites,
    undisguised,
)
from apps.watchlists.namefield.edges import related, within_edges
from apps.watchlists.namefield.hints import first_words
from apps.watchlists.namefield.leftovers import leftovers
from apps.watchlists.namefield.limits import unread_of
from apps.watchlists.namefield.scripts import uncertain, with_readings
from apps.watchlists.namefield.separators import MANY, without_separators
from apps.watchlists.namefield.structure import stretches
from apps.watchlists.namefield.tails import heads, opened, untitled
from apps.watchlists.namefield.values import Field, Kind, Part
from apps.watchlists.namefield.vessels import vessel_name

MOST_PARTS = 16
TOO_MANY = f"more than {MOST_PARTS} names stand in the field, the last are not compared."
_NUMBERED = re.compile(r"\s\d{1,3}$")  # of a ship it is a part of the name: `GRACE 1`
_PLAIN = re.compile(
    r"(?=[A-Za-z.]*[A-Za-z]{2})[A-Za-z]+(?:[ .'-]+[A-Za-z]+){0,7}\.?(?:, ?[A-Za-z. ]+)?"
)
_PLAIN_DOTS = 3
_PLAIN_LENGTH = 100


def read(text: str) -> Field:
    """Return the parts of a name field, each to be searched, its identifiers and what is unread.

    The first part is the name itself. Never raises; a field without any name is one part.
    """
    if _is_plain(text):
        return Field((Part(text),), found_in(text)[0])
    written = plain(text)
    identifiers, without = found_in(written)
    clean = undisguised(without)
    readings, odd = oddities(text)
    if (apart := without_separators(written)) != written:
        readings = [*readings, apart]
    spoken = written if without != written else clean.text
    parts = _every_part(clean, whole=spoken, readings=readings)
    every = _each_once(parts if text.isascii() else with_readings(parts))
    if any(one.kind == "imo" for one in identifiers):
        every = (replace(every[0], schema_hint="Vessel"), *every[1:])
    unread = [*odd, *clean.unread, *unread_of(clean.text, every), *uncertain(every)]
    if len(every) > MOST_PARTS:
        unread.append(TOO_MANY)
    return Field(every[:MOST_PARTS], identifiers, tuple(unread))


def _is_plain(text: str) -> bool:
    """Return quickly whether there is nothing in the text to divide, to find or to undo."""
    if len(text) > _PLAIN_LENGTH or len(text) in BIC_LENGTHS or not _PLAIN.fullmatch(text):
        return False
    if is_run_on(text) or text.count("'") >= MANY or "www." in text.lower():
        return False
    _name, comma, behind = text.partition(",")
    if comma and not begins_with_legal_form(behind):
        return False
    if before_places(text):
        return False
    return text.count(".") <= _PLAIN_DOTS and not may_hold(text, first_words())


def _each_once(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return each part once; when there are too many, one more than are searched."""
    kept: dict[str, Part] = {}
    for part in parts:
        told = part.text if without_separators(part.text) != part.text else key(part.text)
        kept.setdefault(told, part)
        if len(kept) > MOST_PARTS:
            break
    return tuple(kept.values())


def _every_part(clean: Undisguised, *, whole: str, readings: list[str]) -> Iterator[Part]:
    """Yield the parts of each reading of a field, then names in what was cut away from them."""
    found = []
    for part in _parts(clean.text, whole=whole):
        found.append(part)
        yield part
    for reading in dict.fromkeys((*clean.readings, *readings)):
        yield from _parts(reading, whole=reading)
    names = [f" {key(part.text)} " for part in found if part.kind != "WHOLE"]
    for one in leftovers(clean.text):
        if one.purposed or not any(f" {key(one.text)} " in name for name in names):
            yield Part(one.text, "SEGMENT")
    for site in sites(clean.text):
        yield Part(site, "SEGMENT")


def _parts(text: str, *, whole: str) -> Iterator[Part]:
    """Yield the names of a text in order, then the whole as it stands where it was divided."""
    first = None
    for clause in clauses(text):
        for part in _names(clause):
            first = first or part
            yield part
    if first is None or key(first.text) != key(whole):
        yield Part(whole.strip(), "WHOLE" if first else "MAIN")


def _names(clause: Clause) -> Iterator[Part]:
    """Yield the names of one clause, freed of what stands around them, holders one by one."""
    if ship := vessel_name(clause.text):
        numbered = [ship] if _NUMBERED.search(ship) else []
        for one in dict.fromkeys([*(heads(ship) or [ship]), *numbered]):
            yield Part(one, clause.kind, "Vessel")
        return
    for number, stretch in enumerate(stretches(opened(clause.text))):
        kind: Kind = "HOLDER" if number else clause.kind
        for reading in heads(stretch) or [stretch]:
            name = untitled(within_edges(reading))
            if sides := related(name):
                yield from _kin(sides, kind)
                continue
            joint = holders(name)
            for one in joint or [name]:
                yield Part(untitled(one), "HOLDER" if joint else kind)


def _kin(sides: list[str], kind: Kind) -> Iterator[Part]:
    """Yield the party that a field names by its kin, and the kin, who is another."""
    for number, side in enumerate(sides):
        if side:
            yield Part(within_edges(untitled(side)), "SEGMENT" if number else kind)
