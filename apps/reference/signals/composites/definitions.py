"""What a row of the table of composites says. Pure."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

ENOUGH = Decimal("0.6")
Bands = tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One input: `direction` +1 where a high value is strain, -1 where a low one is.

    A `required` input must be there for any number to be given.
    """

    series: str
    weight: Decimal
    direction: int = 1
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Composite:
    """One composite. Weights sum to 1; `start` is where the window of its transform begins.

    `bands` are (upper bound, label), ascending: a score below a bound has its label, and the last
    bound is 100. `version` changes with anything that changes a score.
    """

    name: str
    title: str
    start: date
    parts: tuple[Part, ...]
    bands: Bands
    coverage: Decimal = ENOUGH
    version: str = "3"

    def band(self, score: Decimal) -> str:
        """Return the label of a score."""
        # a score of 100 is below no bound, and has the last label
        return next((label for bound, label in self.bands if score < bound), self.bands[-1][1])
