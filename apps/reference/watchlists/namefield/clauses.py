"""The names of a field with what introduces each: formerly, also known as, care of and so on."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.field.markers import MARKERS, find_first_marker
from apps.reference.names.field.word_tests import is_distinctive_name
from apps.reference.watchlists.namefield.dividers import (
    blank_brackets,
    extract_name_lines,
    find_quoted_names,
    split_at_dividers,
    split_brackets,
)
from apps.reference.watchlists.namefield.parts import Kind

_DEEPEST = 4
EDGE_SIGNS = " ,:;/\\-–—_*#'"
_QUOTES = re.compile('["“”„«»]')


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the field that holds one name, perhaps with an address or reference behind."""

    text: str
    kind: Kind = "MAIN"


def split_clauses(text: str, depth: int = 0) -> list[Clause]:
    """Return the names of a field in order, without parts that are not names.

    Brackets within brackets are read to `_DEEPEST`; deeper ones are blanks.
    """
    outer, inner = (
        split_brackets(extract_name_lines(text)) if depth < _DEEPEST else (blank_brackets(text), [])
    )
    found: list[Clause] = []
    for number, piece in enumerate(split_at_dividers(outer)):
        found += _split_at_markers(Clause(piece, "HOLDER" if number else "MAIN"))
    for content in inner:
        found += _iter_bracket_clauses(content, depth + 1)
    found += [Clause(quoted_name, "ALIAS") for quoted_name in find_quoted_names(outer)]
    trimmed = [
        replace(clause, text=_QUOTES.sub("", clause.text).strip(EDGE_SIGNS)) for clause in found
    ]
    return [one for one in trimmed if is_distinctive_name(one.text)]


def _iter_bracket_clauses(content: str, depth: int) -> Iterator[Clause]:
    for clause in split_clauses(content, depth):
        yield replace(clause, kind="BRACKET") if clause.kind == "MAIN" else clause


def _split_at_markers(clause: Clause) -> Iterator[Clause]:
    """Yield the clause cut before each marker; what follows one is of its kind."""
    text, kind = clause.text, clause.kind
    while first_marker := find_first_marker(text):
        check_cpu_budget()
        yield Clause(text[: first_marker.start], kind)
        # the same text, from the table of markers: there it has the type of a kind
        kind = next(marker.kind for marker in MARKERS if marker.kind == first_marker.kind)
        text = text[first_marker.end :]
    yield Clause(text, kind)
