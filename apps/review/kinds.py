"""Kinds of cases: what each of them brings along, and where it is looked up.

A domain declares its kind as a value (`apps.screening.kinds.SCREEN`); config/review.py names it.
`review` knows no domain and holds no list of reasons, hours or rules of its own.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

from django.utils.module_loading import import_string

from apps.review.rules.notes import Template
from config.review import KINDS

OTHER = "OTHER"  # the reason that always fits: the note then says which


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a case was decided so; `basis` says on what such a reason rests.

    `rules` are references of the rules that it answers: it is offered for a case that one of
    them brought here. Without any it fits every case. `note` begins the note for the examiner
    from what the case shows (rules/notes.py).
    """

    code: str
    label: str
    basis: str
    rules: frozenset[str] = frozenset()
    note: Template | None = None


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule in words; one that `informs` alone brings no case here."""

    title: str
    informs: bool = False


@dataclass(frozen=True, slots=True)
class Stakes:
    """What decides whether one officer is enough; `usd` is None when the value is not known."""

    risk: str
    amount: Decimal | None
    usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Pace:
    """How long cases may wait, by risk, that one of these rules brought here."""

    title: str
    rules: frozenset[str]
    due: Mapping[str, timedelta]


@dataclass(frozen=True, slots=True)
class SecondRule:
    """A rule under which a second, different officer must confirm."""

    ref: str
    sentence: str
    when: Callable[[Stakes], bool]


@dataclass(frozen=True, slots=True)
class Words:
    """An outcome in words: what the officer does, and what was done."""

    does: str
    done: str


@dataclass(frozen=True, slots=True)
class Bulk:
    """Which cases of one listed party may be cleared together, for which reasons."""

    reasons: tuple[str, ...]
    cap: int = 25
    risks: frozenset[str] = frozenset({"LOW", "MEDIUM"})


class Decided(Protocol):
    """What a decision sets in motion: told the outcome and nothing of what officers wrote."""

    def __call__(self, *, ref: str, outcome: str, now: datetime) -> None: ...


WORDS = {"APPROVE": Words("Approve", "Approved"), "REJECT": Words("Reject", "Rejected")}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of case.

    `reasons` by outcome; `due` by risk, in hours of an open desk; `paces` name rules under which
    it is sooner, `risks` says in words how risks arise; of `seconds` the first that
    holds asks for a second officer (the database insists on one for HIGH risk). `decides` and
    `confirms` are the permissions of the first and the second officer. Without `bulk` cases are
    decided one by one. `picture(evidence)` returns what the case page draws (pages/evidence.py
    has the shapes); a rejection for one of `true_matches` opens a matter in the SAR log with the
    clock of a report to OFAC, and so does whoever refers a case that one of the rules
    `sanctions` brought here, as far as the lists that `lists(evidence)` names are OFAC's;
    `decided` is called inside the transaction of the final decision: if it fails, nothing was
    decided. `rules` are its rules in words, by reference.
    """

    title: str
    reasons: Mapping[str, Sequence[Reason]]
    due: Mapping[str, timedelta]
    seconds: Sequence[SecondRule]
    paces: Sequence[Pace] = ()
    risks: Sequence[str] = ()
    words: Mapping[str, Words] = field(default_factory=lambda: WORDS)
    decides: str = "review.decide_case"
    confirms: str = "review.approve_second"
    bulk: Bulk | None = None
    true_matches: tuple[str, ...] = ()
    sanctions: frozenset[str] = frozenset()
    lists: Callable[[dict[str, Any]], Collection[str]] | None = None
    picture: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    decided: Decided | None = None
    rules: Mapping[str, RuleWords] = field(default_factory=dict)

    def offered(self, *, outcome: str, refs: Sequence[str]) -> tuple[Reason, ...]:
        """Return the reasons for an outcome that fit the rules which brought a case here."""
        held = frozenset(refs)
        return tuple(
            one
            for one in self.reasons.get(outcome, ())
            if one.code == OTHER or not one.rules or one.rules & held
        )

    def reason(self, *, outcome: str, code: str) -> Reason | None:
        """Return the reason of that code for an outcome, or None."""
        return next((one for one in self.reasons.get(outcome, ()) if one.code == code), None)

    def within(self, *, risk: str, refs: Iterable[str]) -> timedelta:
        """Return for how long a case may wait: the least of all that brought it here."""
        held = frozenset(refs)
        return min([self.due[risk], *(p.due[risk] for p in self.paces if p.rules & held)])

    def second(self, stakes: Stakes) -> SecondRule | None:
        """Return the rule that asks for a second officer, or None when one is enough."""
        return next((rule for rule in self.seconds if rule.when(stakes)), None)

    def shared(self, refs: Sequence[str]) -> tuple[Reason, ...]:
        """Return the reasons that may clear several cases which the same rules brought here."""
        codes = self.bulk.reasons if self.bulk else ()
        return tuple(r for r in self.offered(outcome="APPROVE", refs=refs) if r.code in codes)


def named(name: str) -> Kind:
    """Return a kind; KeyError for one that config/review.py lacks."""
    found: Kind = import_string(KINDS[name])
    return found


def known() -> dict[str, Kind]:
    """Return every kind by its name."""
    return {name: named(name) for name in KINDS}


def title(name: str) -> str:
    """Return a kind in words; one that left is told by its name."""
    return named(name).title if name in KINDS else name


def words(name: str, outcome: str) -> Words:
    """Return an outcome of a kind in words; of one that left, in the usual ones."""
    found = named(name).words if name in KINDS else WORDS
    return found.get(outcome) or Words(outcome, outcome)


def rule_words(ref: str) -> RuleWords:
    """Return a rule of any kind in words; one that left is told by its reference."""
    found = (kind.rules[ref] for kind in known().values() if ref in kind.rules)
    return next(found, RuleWords(ref))


def second_sentence(name: str, ref: str) -> str:
    """Return why a rule of a kind asks for a second officer, or an empty text."""
    seconds = named(name).seconds if name in KINDS else ()
    return next((rule.sentence for rule in seconds if rule.ref == ref), "")


def reason_words(name: str, *, outcome: str, code: str) -> str:
    """Return what a reason says and on what it rests; a code that left stands for itself."""
    found = named(name).reason(outcome=outcome, code=code) if name in KINDS else None
    return f"{found.label} ({found.basis})" if found else code
