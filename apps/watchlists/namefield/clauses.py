"""The names of a field with what introduces each: formerly, also known as, care of and so on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.names.field.markers import MARKERS, divides
from apps.names.field.telling import is_telling
from apps.watchlists.namefield.structure import brackets, flat, name_lines, pieces, quoted
from apps.watchlists.namefield.values import Kind

_DEEPEST = 4
_EDGE = " ,:;/\\-–—_*#'"
_QUOTES = re.compile('["“”„«»]')


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the field that holds one name, perhaps with an address or reference behind."""

    text: str
    kind: Kind = "MAIN"


def clauses(text: str, depth: int = 0) -> list[Clause]:
    """Return the names that the field is divided into, in order; what is no name is left out.

    Brackets within brackets are read to `_DEEPEST`; deeper ones are blanks.
    """
    outer, inner = brackets(name_lines(text)) if depth < _DEEPEST else (flat(text), [])
    found: list[Clause] = []
    for number, piece in enumerate(pieces(outer)):
        found += _by_markers(Clause(piece, "HOLDER" if number else "MAIN"))
    for content in inner:
        found += _inside(content, depth + 1)
    found += [Clause(one, "ALIAS") for one in quoted(outer)]
    trimmed = [replace(one, text=_QUOTES.sub("", one.text).strip(_EDGE)) for one in found]
    return [one for one in trimmed if is_telling(one.text)]


def _inside(content: str, depth: int) -> Iterator[Clause]:
    for one in clauses(content, depth):
        yield replace(one, kind="BRACKET") if one.kind == "MAIN" else one


def _by_markers(clause: Clause) -> Iterator[Clause]:
    """Yield the clause cut before each marker; what follows one is of its kind."""
    text, kind = clause.text, clause.kind
    while found := divides(text):
        yield Clause(text[: found.start], kind)
        kind = _kind_of(found.kind)
        text = text[found.end :]
    yield Clause(text, kind)


def _kind_of(group: str) -> Kind:
    return next(marker.kind for marker in MARKERS if marker.kind == group)
