"""Rules of the desk: due times, second officers, reasons, and what may be done together.

DESIGN.md section 8; the features 2, 3, 4, 16, 17, 18 and 24 of the desk's feature list.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.review.rules_hours import Hours, due_after

CLAIM_LASTS = timedelta(minutes=30)
SHORTEST_NOTE = 10
LONGEST_NOTE = 4000
LARGE_AMOUNT_USD = Decimal(1_000_000)

LONGEST_SNOOZE = timedelta(days=30)
BULK_CAP = 25
LONGEST_REFS = 800

# DUE-1: hours of an open desk until a case is due, by risk: one day has ten
DUE = {"HIGH": timedelta(hours=4), "MEDIUM": timedelta(hours=10), "LOW": timedelta(hours=30)}


@dataclass(frozen=True, slots=True)
class Stakes:
    """What decides whether one officer is enough; `usd` is None when the value is not known."""

    risk: str
    amount: Decimal | None
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class SecondRule:
    """A rule under which a second, different officer must confirm."""

    ref: str
    sentence: str
    when: Callable[[Stakes], bool]


SECOND_OFFICER = (  # first match wins
    SecondRule("SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
    SecondRule(
        "SECOND-2",
        "The amount is 1,000,000 USD or more.",
        lambda s: s.usd is not None and s.usd >= LARGE_AMOUNT_USD,
    ),
    SecondRule(
        "SECOND-3",
        "The amount has no known value in USD.",
        lambda s: s.amount is not None and s.usd is None,
    ),
)
SECOND_BY_REF = {rule.ref: rule for rule in SECOND_OFFICER}


def second_officer(stakes: Stakes) -> SecondRule | None:
    """Return the rule that asks for a second officer, or None when one is enough."""
    return next((rule for rule in SECOND_OFFICER if rule.when(stakes)), None)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a case was approved or rejected; `basis` says on what such a reason rests."""

    code: str
    label: str
    basis: str


REASONS: dict[str, tuple[Reason, ...]] = {
    "APPROVE": (
        Reason("DIFFERENT_PARTY", "Another party: identifiers or dates differ", "FATF R.6"),
        Reason("NAME_ONLY", "Another party: only a common name agrees", "FATF R.6"),
        Reason("PEP_ACCEPTED", "PEP: relationship and source of funds established", "FATF R.12"),
        Reason("COUNTRY_EDD", "Country risk: enhanced due diligence done", "FATF R.19"),
        Reason("OWNERSHIP_CLEAR", "Ownership established, no listed owner", "FATF R.24"),
        Reason("CHECK_COMPLETED", "The missing check was made by other means", "FATF R.10"),
        Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
    ),
    "REJECT": (
        Reason("LISTED_PARTY", "The party is the listed one", "FATF R.6"),
        Reason("LISTED_OWNER", "Owned or controlled by a listed party", "FATF R.6"),
        Reason("PEP_DECLINED", "PEP: source of funds not established", "FATF R.12"),
        Reason("COUNTRY_DECLINED", "Country risk beyond what is accepted", "FATF R.19"),
        Reason("NOT_IDENTIFIED", "Party or owner could not be identified", "FATF R.10"),
        Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
    ),
}


def reason(*, outcome: str, code: str) -> Reason | None:
    """Return the reason of that code for an outcome, or None."""
    return next((one for one in REASONS.get(outcome, ()) if one.code == code), None)


def due_at(*, risk: str, opened_at: datetime, hours: Hours) -> datetime:
    """Return when a case of this risk is due, counted in hours of an open desk."""
    return due_after(start=opened_at, working=DUE[risk], hours=hours)


def snooze_fault(*, until: datetime, now: datetime) -> str:
    """Return what is wrong with the end of a snooze, or an empty text."""
    if until <= now:
        return "Choose a moment that is still to come."
    if until - now > LONGEST_SNOOZE:
        return f"Choose a moment within {LONGEST_SNOOZE.days} days."
    return ""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What must agree between cases that are worked on together.

    `entity` names the listed parties that the case matches, `rules` what brought it here.
    """

    kind: str
    owner: str
    risk: str
    entity: str
    rules: str
    needs_second: bool


# reasons that may clear several cases at once: they are all about the listed party
BULK_REASONS = ("DIFFERENT_PARTY", "NAME_ONLY")


def bulk_fault(cases: Sequence[Likeness]) -> str:
    """Return why these cases cannot be cleared together, or an empty text (feature 24)."""
    if not cases:
        return "Choose at least one case."
    if len(cases) > BULK_CAP:
        return f"Choose at most {BULK_CAP} cases: {len(cases)} are too many to look at together."
    if any(not case.entity for case in cases):
        return "One of the cases matches no listed party: decide it by itself."
    if len({(case.kind, case.entity) for case in cases}) > 1:
        return "The cases match different listed parties: clear one party's at a time."
    if len({case.rules for case in cases}) > 1:
        return "The cases are here for different reasons: clear those with the same ones."
    if any(case.risk == "HIGH" for case in cases):
        return "A HIGH risk case is decided by itself."
    return ""


def merge_fault(*, duplicate: Likeness, into: Likeness) -> str:
    """Return why a case is no duplicate of another, or an empty text (feature 18)."""
    if (duplicate.kind, duplicate.owner) != (into.kind, into.owner):
        return "Only cases of the same kind and client can be merged."
    if duplicate.needs_second and not into.needs_second:
        return "This case needs a second officer and the other does not: merge that one into this."
    return ""


def rule_refs(refs: Iterable[str]) -> str:
    """Return references as the queue keeps them: `|ref|ref|`; what an index cannot hold goes."""
    kept = ""
    for ref in refs:
        if len(kept) + len(ref) < LONGEST_REFS:
            kept += f"|{ref}"
    return f"{kept}|" if kept else ""


def note_fault(note: str) -> str:
    """Return what is wrong with a note, or an empty text."""
    if len(note.strip()) < SHORTEST_NOTE:
        return f"Write a sentence of at least {SHORTEST_NOTE} characters."
    if len(note) > LONGEST_NOTE:
        return f"Keep it under {LONGEST_NOTE} characters."
    return ""


def party_key(name: str) -> str:
    """Return a name as it is searched: folded, without marks, its words in order of letters."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(
        # vowel signs of Indic and Thai script are marks (M) without a combining class
        character if unicodedata.category(character)[0] in "LNM" else " "
        for character in decomposed
        if not unicodedata.combining(character)
    )
    return " ".join(sorted(kept.split()))


def frozen(value: Any) -> Any:
    """Return evidence as plain JSON without floats, so that its digest is the same everywhere.

    Floats (scores) become texts of at most four decimals, Decimals and dates texts.
    """
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, float):
        text = f"{value:.4f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): frozen(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [frozen(inner) for inner in value]
    raise TypeError(f"{type(value).__name__} cannot be evidence")
