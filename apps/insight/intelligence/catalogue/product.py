"""The definition of a product in the catalogue. Pure but for the shapes that it names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.platform.api.shapes import Shape
from apps.reference.signals.composites import Composite
from config.prices import Unit

EARLIEST = date(1979, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesNeed:
    """A series that a product reads beside its composites; `weight` is its part in the coverage.

    Without a `required` one there is no answer.
    """

    series: str
    weight: Decimal = Decimal(1)
    required: bool = False


HELD_INPUTS = (
    "An input that has grown too old is held at its last figure where this is more strained than "
    "the mean of the rest; else its weight, as that of one never observed, goes to the others."
)
# of words, counts and lists beside a score; each says what in its answer that is of
WORDED_INPUTS = (
    f"{HELD_INPUTS} {{what}} rest on the last known figures, however old (`held:SERIES`): "
    f"no silence ends an alarm."
)
# of scores that are no mean of inputs
WEB_INPUTS = (
    "Of inputs that have grown too old each is held at its last figures or left out, in the choice "
    "that gives the highest score of all such choices: a further silence cannot lower it. What was "
    "never observed is left out."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodProse:
    """What the page and the document of methods say of a product, a sentence or more each.

    `missing` is what an input does that is not there, or too old.
    """

    measures: str
    formula: str
    window: str
    blind: str
    reference: str
    missing: str = HELD_INPUTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """One paid endpoint (document 3 section 4).

    `path` is below /v1/intelligence/ unless `whole` says otherwise. `kept` is how long an answer
    serves everybody; None where each is recomputed. `heads` are headers of the answer, by what
    stands behind `X-SVC-`: names in the body, as the wire has them, parted by dots. `version` is
    that of the method: it changes with anything that changes a number. `keeps` writes what else is
    to be kept of a fresh answer, in its transaction, for which `free` tells whether a slot has its
    place still; `beside` reads what a method is given beside series.
    """

    name: str
    title: str
    about: str
    price: Unit
    kept: timedelta | None
    answers: type[Shape]
    compute: Callable[[MethodInputs], MethodResult]
    prose: MethodProse
    composites: tuple[Composite, ...] = ()
    needs: tuple[SeriesNeed, ...] = ()
    since: date = EARLIEST
    heads: Mapping[str, str] = field(default_factory=dict)
    version: str = "1"
    method: str = "GET"
    path: str = ""
    whole: str = ""
    asks: type[Shape] | None = None
    example: Mapping[str, Any] = field(default_factory=dict)
    keeps: Callable[[int, MethodResult, datetime], None] | None = None
    beside: Callable[[datetime], Mapping[str, Any]] | None = None
    free: Callable[[int], bool] | None = None

    @property
    def series(self) -> tuple[str, ...]:
        """Every series that it reads, each once."""
        parts = (part.series for row in self.composites for part in row.parts)
        return tuple(dict.fromkeys([*parts, *(need.series for need in self.needs)]))

    @property
    def first(self) -> date:
        """The day from which histories are read: that of the composite that begins first."""
        return min([self.since, *(row.start for row in self.composites)])
