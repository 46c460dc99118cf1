"""The definition of a product in the catalogue. Pure, except for the serializer shapes it names."""

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
    """A series that a product reads in addition to its composites; `weight` counts towards
    coverage.

    Without a `required` series there is no answer.
    """

    series: str
    weight: Decimal = Decimal(1)
    required: bool = False


HELD_INPUTS = (
    "An input that has become too old is held at its last figure if that is more strained than "
    "the mean of the others; otherwise, like one never observed, its weight goes to the others."
)
# For answers with words, counts and lists in addition to a score; `what` names those.
WORDED_INPUTS = (
    f"{HELD_INPUTS} {{what}} use the last known figures, however old (`held:SERIES`), so that "
    f"missing data never ends an alarm."
)
# For scores that are not a mean of inputs.
WEB_INPUTS = (
    "Each input that has become too old is held at its last figures or left out, in whichever "
    "combination gives the highest score, so that further missing data cannot lower it. An input "
    "never observed is left out."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodProse:
    """The text on a product in its page and in the methods document, at least a sentence per field.

    `missing` says how the method treats an input that is missing or too old.
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

    `path` is below /v1/intelligence/ unless `whole` replaces it. `kept` is how long an answer is
    served to all callers; None if each call is computed anew. `heads` maps header names without
    `X-SVC-` to dotted paths in the body, in wire names. `version` is that of the method and changes
    with anything that changes a number. `keeps` writes further records of a fresh answer in its
    transaction, and `free` says whether their slot is still free; `beside` loads what the method
    needs in addition to series.
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
        """Every series that the product reads, without duplicates."""
        parts = (part.series for row in self.composites for part in row.parts)
        return tuple(dict.fromkeys([*parts, *(need.series for need in self.needs)]))

    @property
    def first(self) -> date:
        """The day from which histories are read: the earliest start of any composite."""
        return min([self.since, *(row.start for row in self.composites)])
