"""A rule, and what it charges a pair of names."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.values import WORST

About = Literal["all", "people", "companies"]


def format_reference(part: str) -> str:
    """Return the reference of a part of the chapter on names of payees."""
    return f"D §4 Names of payees, {part}"


@dataclass(frozen=True, slots=True)
class Charge:
    """Points that a rule costs, and the most that the score may be where it holds."""

    cost: int = 0
    most: int = WORST


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: code, title, part of the design chapter, the names that it is for, and its function.

    `judge` returns None if the rule does not hold.
    """

    code: str
    title: str
    part: str
    about: About
    judge: Callable[[PairFacts], Charge | None]

    @property
    def ref(self) -> str:
        """Where it is written down."""
        return format_reference(self.part)

    def applies(self, facts: PairFacts) -> bool:
        """Return whether the rule applies to such a pair."""
        return self.about == "all" or (self.about == "companies") == facts.company
