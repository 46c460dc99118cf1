"""Whom the note of a payment names, held against the sanctions lists."""

from apps.banking.rules.payers import pieces_of
from apps.watchlists import lookup
from apps.watchlists.engine import Engine
from apps.watchlists.found import Match
from apps.watchlists.matching.thresholds import BELOW_MATCH
from apps.watchlists.rules import BLOCK_SCORE, percent
from apps.watchlists.subjects import Subject

MOST_NAMED = 5
WITHIN = percent(BELOW_MATCH)  # what a whole listed name within other words comes to


def named(engine: Engine, words: str) -> tuple[str, ...]:
    """Return the listed parties that a text names, each of its pieces compared whole."""
    found: dict[str, None] = {}
    for piece in pieces_of(words):
        hits = lookup.sanctions(engine=engine, subject=Subject(name=piece)).matches
        found |= dict.fromkeys(f"{one.name} ({one.dataset})" for one in hits if _names(one))
    return tuple(found)[:MOST_NAMED]


def _names(one: Match) -> bool:
    return one.score >= BLOCK_SCORE or (one.part == "SEGMENT" and one.score >= WITHIN)
