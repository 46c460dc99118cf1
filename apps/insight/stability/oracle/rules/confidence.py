"""How sure the oracle is of its score. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

# part of its weight for which an estimated value counts: sample, proxy or static
ROUGH_COUNTS = Decimal("0.5")
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class WeighedSeries:
    """What one series weighs in the score, whether it counts, and whether it is an observation."""

    weight: Decimal
    counts: bool
    observed: bool


def compute_confidence(held: Iterable[WeighedSeries]) -> Decimal:
    """Return 0 to 100: observed weight counts in full, estimated by half, missing not at all."""
    rows = list(held)
    whole = sum((row.weight for row in rows), Decimal(0))
    if not whole:
        return Decimal(0)
    sure = sum(
        (row.weight * (1 if row.observed else ROUGH_COUNTS) for row in rows if row.counts),
        Decimal(0),
    )
    # rounded down: 100 means that everything was observed
    return (100 * sure / whole).quantize(CENT, ROUND_DOWN)
