"""Which list changes are new matches of a known party, and how serious. Pure.

DESIGN.md section 5 (Lists) and section 4 (Fail closed); document 1 section 2.7, check rule 3.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.reference.watchlists.rules.score_limits import (
    BLOCK_SCORE,
    PARTIAL_RANGE,
    PARTIAL_SCORE,
    PEP_SCORE,
)

VERSION = "2026-11.3"
CLEAR, PARTIAL, FULL = 0, 1, 2
HIGH_FROM = 60  # a partial match from here on is HIGH, as at a registration

# the fields of a listed entry that a look-up compares; programmes, offices, remarks and the day of
# listing find no party
COMPARED = ("schema", "topic", "names", "countries", "birth_dates", "identifiers", "addresses",
            "gender")  # fmt: skip
# the fields that a look-up of PEPs compares: the country of an office supports a name match
COMPARED_OFFICES = ("schema", "topic", "names", "countries", "positions")
WORDS: dict[str, str] = {
    "schema": "Type",
    "topic": "Listing type",
    "names": "Names",
    "countries": "Countries",
    "birth_dates": "Birth dates",
    "identifiers": "Identifiers",
    "addresses": "Addresses",
    "gender": "Gender",
    "programs": "Programmes",
    "positions": "Offices",
    "listed_on": "Listing date",
    "remarks": "Remarks",
    "birth_notes": "Birth dates as listed",
    "false_identifiers": "False documents",
    "measures": "Measures",
}


def score_band(score: int) -> int:
    """Return the band of a score in whole percents: CLEAR, PARTIAL or FULL."""
    return FULL if score >= BLOCK_SCORE else PARTIAL if score >= PARTIAL_SCORE else CLEAR


def holder_score_band(score: int) -> int:
    """Return the band of a PEP's score: a PEP flags and never blocks."""
    return PARTIAL if score >= PEP_SCORE else CLEAR


def list_changed_fields(
    before: Mapping[str, Any] | None, after: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the changed fields of an entry, as lists store it; all fields of a new entry."""
    if before is None:
        # every entry has an id: it is no fact about the party
        return tuple(sorted(name for name in after if name != "entity_id"))
    return tuple(sorted(n for n in {*before, *after} if before.get(n) != after.get(n)))


def is_material_change(fields: tuple[str, ...]) -> bool:
    """Return whether a look-up compares any of these fields."""
    return not set(COMPARED).isdisjoint(fields)


def is_material_holder_change(fields: tuple[str, ...]) -> bool:
    """Return whether a look-up of PEPs compares any of these fields."""
    return not set(COMPARED_OFFICES).isdisjoint(fields)


@dataclass(frozen=True, slots=True)
class MatchPair:
    """A party and a changed entry: scores now and before (None: it was not listed).

    `known`: a known false positive of the pair is valid for the entry as it is now; `woken`: one
    was valid for the entry before the change; `standing`: a case of the pair is open; `holder`: the
    entry is a PEP.
    """

    now: int
    before: int | None
    standing: bool = False
    known: bool = False
    woken: bool = False
    holder: bool = False

    @property
    def band(self) -> int:
        return self._band(self.now)

    @property
    def rose(self) -> bool:
        return self.band > self._band(self.before or 0)

    def _band(self, score: int) -> int:
        return holder_score_band(score) if self.holder else score_band(score)


# facts of a case's party that no known party is kept with: its other names are parties too
NOT_KEPT = frozenset({"Other names"})
SAME_TYPE = {"organization": "company"}  # in a client's words, and in ours


def is_same_party(
    facts_then: Mapping[str, str], rows: Sequence[tuple[str, str]], *, whole: bool
) -> bool:
    """Return whether the facts of a case's party are exactly those of another party.

    `whole` also compares the facts in `NOT_KEPT`. A party with two numbers of one kind is never
    the same: `facts_then` has one of each.
    """
    known = {label: SAME_TYPE.get(text, text) for label, text in rows}
    left = {
        label: SAME_TYPE.get(text, text)
        for label, text in facts_then.items()
        if text and (whole or label not in NOT_KEPT)
    }
    return len(known) == len(rows) and left == known


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether a pair opens a case, and under which rule."""

    code: str
    ref: str
    title: str
    opens: bool
    when: Callable[[MatchPair], bool]


RULINGS: tuple[Ruling, ...] = (  # first match wins
    Ruling(
        "clear",
        "ONGOING-1",
        f"The score is below {PARTIAL_SCORE} %, or below {PEP_SCORE} % for a PEP",
        False,
        lambda p: p.band == CLEAR,
    ),
    Ruling(
        "standing",
        "ONGOING-2",
        "A case for this party and this entry is open",
        False,
        lambda p: p.standing,
    ),
    Ruling(
        "known",
        "ONGOING-3",
        "A partial match that officers ruled out, and the entry has not changed since",
        False,
        # a PEP is PARTIAL at any score: from 70 % on it opens a case all the same
        lambda p: p.known and p.band == PARTIAL and p.now < BLOCK_SCORE,
    ),
    Ruling(
        "woken",
        "ONGOING-4",
        "Officers ruled out the match, and the entry has changed since",
        True,
        lambda p: p.woken,
    ),
    Ruling("added", "ONGOING-5", "The entry is new", True, lambda p: p.before is None),
    Ruling(
        "risen",
        "ONGOING-6",
        "The entry changed, and the match is more serious than before",
        True,
        lambda p: p.rose,
    ),
    Ruling(
        "same",
        "ONGOING-7",
        "The entry changed, and the match is no more serious than before",
        False,
        lambda p: True,
    ),
)


def select_ruling(pair: MatchPair) -> Ruling:
    """Return the ruling that applies to a pair."""
    return next(row for row in RULINGS if row.when(pair))


@dataclass(frozen=True, slots=True)
class CaseRule:
    """A reason for a case: code and reference."""

    code: str
    ref: str
    title: str


FOUND: Mapping[int, CaseRule] = {
    FULL: CaseRule(
        "rescreen.match",
        "D §5 Lists, changed entry, match",
        f"A changed entry matches a known party at {BLOCK_SCORE}% or more",
    ),
    PARTIAL: CaseRule(
        "rescreen.partial",
        "D §5 Lists, changed entry, partial",
        f"A changed entry matches a known party at {PARTIAL_RANGE}",
    ),
}
FOUND_HOLDER = CaseRule(
    "rescreen.holder",
    "D §5 Lists, changed entry, office holder",
    f"A changed PEP entry matches a party that was checked for PEPs at {PEP_SCORE}% or more",
)


NOT_CHECKED = CaseRule(
    "name.not_checked",
    "D §4 fail closed, name",
    "A name of a known party takes too long to compare with the changed entries",
)


def match_risk_score(score: int, *, holder: bool) -> int:
    """Return what a match adds to the risk: for a PEP 80 % of its score (1 §2.7)."""
    return score * 8 // 10 if holder else score


def rescreen_case_risk(score: int) -> str:
    """Return the risk of a case by its highest score of a sanctioned party (0: none)."""
    return "HIGH" if score >= HIGH_FROM else "MEDIUM"


def build_rule_tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the tables for docs/rules.md."""
    rows = [[ruling.ref, ruling.title, "a case" if ruling.opens else "none"] for ruling in RULINGS]
    rule_rows = [
        [rule.ref, f"`{rule.code}`", rule.title]
        for rule in (*FOUND.values(), FOUND_HOLDER, NOT_CHECKED)
    ]
    return [
        ("Re-screening: a changed list entry and a known party",
         ["Rule", "When", "Opens"], rows),
        ("Re-screening: reasons for a case", ["Reference", "Code", "When"], rule_rows),
    ]  # fmt: skip
