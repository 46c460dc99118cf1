"""What of a change of a list is news of a party, and how grave. Pure.

DESIGN.md section 5 (Lists) and section 4 (Fail closed); document 1 section 2.7, check rule 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE

VERSION = "2026-11.1"
CLEAR, PARTIAL, FULL = 0, 1, 2
HIGH_FROM = 60  # a partial match from here on is HIGH, as at a registration

# what of a listed entry a look-up compares; programmes, offices, remarks and the day of listing
# find nobody
COMPARED = ("schema", "topic", "names", "countries", "birth_dates", "identifiers", "addresses",
            "gender")  # fmt: skip
WORDS: dict[str, str] = {
    "schema": "Type",
    "topic": "What it is listed for",
    "names": "Names",
    "countries": "Countries",
    "birth_dates": "Birth dates",
    "identifiers": "Identifiers",
    "addresses": "Addresses",
    "gender": "Gender",
    "programs": "Programmes",
    "positions": "Offices",
    "listed_on": "Day of listing",
    "remarks": "Remarks",
}


def band(score: int) -> int:
    """Return how grave a score in whole percents is: CLEAR, PARTIAL or FULL."""
    return FULL if score >= BLOCK_SCORE else PARTIAL if score >= PARTIAL_SCORE else CLEAR


def differing(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> tuple[str, ...]:
    """Return which fields of an entry, as lists store it, are others now; all of a new one."""
    if before is None:
        return tuple(sorted(name for name in after if name != "entity_id"))
    return tuple(sorted(n for n in {*before, *after} if before.get(n) != after.get(n)))


def material(fields: tuple[str, ...]) -> bool:
    """Tell whether a look-up compares any of these fields."""
    return not set(COMPARED).isdisjoint(fields)


@dataclass(frozen=True, slots=True)
class Pair:
    """A party and a changed entry: scores now and before (None: it was not listed).

    `known` says that a known false positive of the pair holds for the entry as it is, `woken` that
    one held for it as it was; `standing` that a case of the pair is open.
    """

    now: int
    before: int | None
    standing: bool = False
    known: bool = False
    woken: bool = False

    @property
    def rose(self) -> bool:
        return band(self.now) > band(self.before or 0)


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether a pair opens a case, and under which rule."""

    code: str
    ref: str
    title: str
    opens: bool
    when: Callable[[Pair], bool]


RULINGS: tuple[Ruling, ...] = (  # first match wins
    Ruling(
        "clear",
        "ONGOING-1",
        "The name is less than 45 % like it",
        False,
        lambda p: band(p.now) == CLEAR,
    ),
    Ruling(
        "standing",
        "ONGOING-2",
        "A case of this party and this entry is open",
        False,
        lambda p: p.standing,
    ),
    Ruling(
        "known",
        "ONGOING-3",
        "A partial match that officers know to be none, of an entry that is as it was",
        False,
        lambda p: p.known and band(p.now) == PARTIAL,
    ),
    Ruling(
        "woken",
        "ONGOING-4",
        "Officers knew it to be no match, and the entry has changed since",
        True,
        lambda p: p.woken,
    ),
    Ruling("added", "ONGOING-5", "The entry is new", True, lambda p: p.before is None),
    Ruling(
        "risen",
        "ONGOING-6",
        "The entry changed, and the match is graver than before",
        True,
        lambda p: p.rose,
    ),
    Ruling(
        "same",
        "ONGOING-7",
        "The entry changed, and the match is no graver than before",
        False,
        lambda p: True,
    ),
)


def rule(pair: Pair) -> Ruling:
    """Return what holds of a pair."""
    return next(row for row in RULINGS if row.when(pair))


@dataclass(frozen=True, slots=True)
class CaseRule:
    """What brings a case here: its code and reference."""

    code: str
    ref: str
    title: str


FOUND: Mapping[int, CaseRule] = {
    FULL: CaseRule(
        "rescreen.match",
        "D §5 Lists, changed entry, match",
        "An entry that changed matches a party that came up before at 70% or more",
    ),
    PARTIAL: CaseRule(
        "rescreen.partial",
        "D §5 Lists, changed entry, partial",
        "An entry that changed matches a party that came up before at 45-69%",
    ),
}


def risk(score: int) -> str:
    """Return the risk of a case by its highest score."""
    return "HIGH" if score >= HIGH_FROM else "MEDIUM"


def tables() -> list[tuple[str, list[str], list[list[str]]]]:
    """Return the tables as the printed page of rules has them."""
    rows = [[one.ref, one.title, "a case" if one.opens else "none"] for one in RULINGS]
    found = [[one.ref, f"`{one.code}`", one.title] for one in FOUND.values()]
    return [
        ("A changed entry of a list, against a party that came up before",
         ["Rule", "When", "Opens"], rows),
        ("What brings a case of a changed entry here", ["Reference", "Code", "When"], found),
    ]  # fmt: skip
