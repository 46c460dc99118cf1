"""Which partial matches two officers know to be another party, and what that leaves. Pure.

DESIGN.md section 4, known false positives. It clears a match of 45-69 % of exactly that party with
exactly that listed one, and nothing beside it; 70 % and above is never touched.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.compliance.screening.rules.facts import ScreenFacts
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """A match of the party: key of the listed party (`list:id`), score, name, notes."""

    key: str
    score: int
    name: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClearedMatch:
    """What clears a match: its reference, until when, and the case in which it was found."""

    key: str
    ref: str
    until: date
    case: int


def can_clear_matches(*, scores: Sequence[int], complete: bool) -> bool:
    """Return whether any match may be cleared: none blocks, and all that match are known."""
    partial = [score for score in scores if PARTIAL_SCORE <= score < BLOCK_SCORE]
    return complete and bool(partial) and max(scores) < BLOCK_SCORE


def is_same_party(
    then: Mapping[str, str], now: Sequence[tuple[str, str]], *, keys: Collection[bool]
) -> bool:
    """Return whether the known facts of a party are exactly those recorded.

    `keys` are what was compared of its name and LEI.
    """
    party_now = dict(now)
    if not all(keys):
        return False
    # a record holds one fact of each kind: a party with two passports cannot be compared with it
    complete = len(party_now) == len(now)
    return complete and dict(then) == party_now


def exclude_known_matches(
    facts: ScreenFacts, *, matches: Sequence[ScoredMatch], cleared: Mapping[str, ClearedMatch]
) -> ScreenFacts:
    """Return the facts without the matches that are known false positives.

    The best of the others is reported; the score of the answer is not changed.
    """
    known = [match for match in matches if match.key in cleared and match.score < BLOCK_SCORE]
    if not known:
        return facts
    # best first, as the look-up returns them
    left = [match for match in matches if match not in known]
    best = left[0] if left else ScoredMatch("", 0, "")
    return replace(
        facts,
        sanctions_left=best.score,
        sanctions_known=tuple(_known_match_sentence(match, cleared[match.key]) for match in known),
        sanctions_name=best.name or facts.sanctions_name,
        sanctions_notes=best.notes if left else facts.sanctions_notes,
    )


def _known_match_sentence(scored_match: ScoredMatch, cleared_match: ClearedMatch) -> str:
    return (
        f"Partial sanctions match at {scored_match.score}%: {scored_match.name}, known to be "
        "another party "
        f"({cleared_match.ref}, until {cleared_match.until.isoformat()})."
    )
