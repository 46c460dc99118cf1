"""The parts of a kind of case: reasons, hours, rules of two officers, what a domain answers."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

from apps.review.rules.notes import Speaks, Template

OTHER = "OTHER"  # the reason that always fits: the note then says which


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a case was decided so; `basis` says on what such a reason rests.

    `rules` are references of the rules that it answers (`Kind.offered` says when that is enough).
    Without any it fits every case. `note` begins the note for the examiner from what the case
    shows (rules/notes.py), and `speaks` tells whether that speaks for the reason: one that it does
    not speak for is offered after those that it does. One that says `false_positive` finds the
    party to be another than the listed one: with it that may be proposed as known. One that says
    `is_listed` finds the opposite: the two contradict each other; one that says it `of_owner`
    found an owner to be listed, and says nothing of the party itself.
    """

    code: str
    label: str
    basis: str
    rules: frozenset[str] = frozenset()
    note: Template | None = None
    false_positive: bool = False
    is_listed: bool = False
    of_owner: bool = False
    speaks: Speaks | None = None


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule in words; one that `informs` alone brings no case here."""

    title: str
    informs: bool = False


@dataclass(frozen=True, slots=True)
class Stakes:
    """What decides whether one officer is enough; `usd` is None when the value is not known.

    `refs` are references of the rules that brought the case here.
    """

    risk: str
    amount: Decimal | None
    usd: Decimal | None
    refs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Pace:
    """How long cases may wait, by risk, that one of these rules brought here.

    `never` are risks that no such case has; were there one, its hours would hold all the same.
    """

    title: str
    rules: frozenset[str]
    due: Mapping[str, timedelta]
    never: frozenset[str] = frozenset()


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


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed party that a case matches: its key, `list:id`, and how it is shown."""

    key: str
    label: str


class Entries(Protocol):
    """Digests of what lists say of parties, by key; who is not listed is left out.

    As it stands now, or, given the evidence of a case, as it stood when that was gathered. A few
    queries, however many keys.
    """

    def __call__(
        self, keys: Collection[str], *, seen: Mapping[str, Any] | None = None
    ) -> Mapping[str, str]: ...


class Answer(Protocol):
    """What the client of a case was answered, from the record of it: rows of `label`, `value`."""

    def __call__(self, ref: str) -> Sequence[Mapping[str, str]]: ...


class ConcernsOfac(Protocol):
    """Tell whether OFAC may be owed a report under rules that brought a case here.

    `owed`: a list on which the party or an owner is matched may be OFAC's own.
    """

    def __call__(self, refs: Collection[str], *, owed: bool) -> bool: ...
