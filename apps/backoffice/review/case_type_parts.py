"""The parts of a kind of case: reasons, hours, rules of two officers, functions of a domain."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

from apps.backoffice.review.rules.known_false_positives import EntryFacts
from apps.backoffice.review.rules.note_templates import Speaks, Template

LARGE_SCREENED_USD = Decimal(1_000_000)  # from which a second officer confirms a screen's case
OTHER = "OTHER"  # the reason that always fits: the note then says which


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a decision; `basis` is its legal or factual basis.

    `rules` are references of the rules that it answers (`CaseType.offered` says when that is
    enough). Without any it fits every case. With `about`, it fits if one of those further rules
    applies. `repairs`: the error was corrected; it answers no rule, and its subject is checked
    again. `note` begins the note for the examiner from the evidence of the case
    (rules/note_templates.py), and `speaks` tells whether the evidence supports the reason:
    supported reasons are offered first. `false_positive`: the party is not the listed party, which
    may then be proposed as known. `is_listed`: the party is the listed party; the two contradict
    each other. `of_owner`: an owner was found to be listed, which says nothing about the party
    itself.
    """

    code: str
    label: str
    basis: str
    rules: frozenset[str] = frozenset()
    note: Template | None = None
    about: frozenset[str] = frozenset()
    false_positive: bool = False
    is_listed: bool = False
    of_owner: bool = False
    repairs: bool = False
    speaks: Speaks | None = None


@dataclass(frozen=True, slots=True)
class RuleLabel:
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


def hours_by_risk(*, high: int, medium: int, low: int) -> dict[str, timedelta]:
    """Return by risk how long a case may wait, in hours of an open desk."""
    return {
        "HIGH": timedelta(hours=high),
        "MEDIUM": timedelta(hours=medium),
        "LOW": timedelta(hours=low),
    }


@dataclass(frozen=True, slots=True)
class DueTimes:
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
class OutcomeLabels:
    """An outcome in words: what the officer does, and what was done."""

    does: str
    done: str


@dataclass(frozen=True, slots=True)
class BulkClearRule:
    """Which cases of one listed party may be cleared together, for which reasons."""

    reasons: tuple[str, ...]
    cap: int = 25
    risks: frozenset[str] = frozenset({"LOW", "MEDIUM"})


class DecisionHandler(Protocol):
    """The consequence of a decision: it gets the outcome, and nothing that officers wrote."""

    def __call__(self, *, ref: str, outcome: str, now: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class ListedParty:
    """A listed party that a case matches: its key, `list:id`, and how it is shown."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class ListEntry:
    """How a list has a party: the digest of all that it says, and the facts a decision rests on."""

    digest: str
    facts: EntryFacts


class EntryLoader(Protocol):
    """Load the listed parties of some keys; a party that is not listed is left out.

    It loads them as they are now or, given the evidence of a case, as they were when that was
    gathered. A few queries, however many keys.
    """

    def __call__(
        self, keys: Collection[str], *, seen: Mapping[str, Any] | None = None
    ) -> Mapping[str, ListEntry]: ...


class SuccessorFinder(Protocol):
    """Parties that lists now have in the place of those that left, by the key of who left.

    Given what lists said of those that left: a list that gives a party another reference, or
    merges it with another party, says all of that on under the new key.
    """

    def __call__(
        self, left: Mapping[str, EntryFacts]
    ) -> Mapping[str, Mapping[str, EntryFacts]]: ...


class ClientAnswerReader(Protocol):
    """What the client of a case was answered, from the record of it: rows of `label`, `value`."""

    def __call__(self, ref: str) -> Sequence[Mapping[str, str]]: ...


class OfacConcernCheck(Protocol):
    """Tell whether OFAC may be owed a report under rules that brought a case here.

    `owed`: a list on which the party or an owner is matched may be OFAC's own.
    """

    def __call__(self, refs: Collection[str], *, owed: bool) -> bool: ...
