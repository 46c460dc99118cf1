"""The live score: three composites of signals, inverted, and their mean. Pure.

Document 3 section 2.4. A composite is a strain of 0 to 100; a pillar is what is left of 100.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from apps.reference.signals.quality_labels import LABELS

Pillar = Literal["environmental", "social", "governance"]
Label = Literal["LIVE", "PARTIAL", "ESTIMATED"]
# Raised whenever a pillar rests on something else; part of every run.
VERSION = "2026-11.1"
BEST = Decimal(100)
# points; EsgRun stores averages as integers of this unit
FINE = Decimal("0.0001")
# as many decimals as the API's Number of a weight has
FINEST_WEIGHT = Decimal("0.00000001")


@dataclass(frozen=True, slots=True)
class LivePillar:
    """On which strain a pillar rests, and why. `code` never changes."""

    code: str
    ref: str
    pillar: Pillar
    composite: str
    title: str


PILLARS: tuple[LivePillar, ...] = (
    LivePillar("ESG-LIVE-E", "3 §2.4", "environmental", "climate-stress",
          "Temperature, carbon dioxide, sea ice and sea temperature"),
    LivePillar("ESG-LIVE-S", "3 §2.4", "social", "living-costs",
          "Cost of living: consumer prices, bread grains, fuel"),
    LivePillar("ESG-LIVE-G", "3 §2.4", "governance", "policy-instability",
          "Policy uncertainty and trade policy uncertainty"),
)  # fmt: skip


def score_of_strain(strain: Decimal) -> Decimal:
    """Return the score of a pillar from its strain."""
    return BEST - strain


def average_score(scores: Mapping[str, Decimal]) -> Decimal:
    """Return the mean of the three pillars, to 0.0001 of a point."""
    total = sum((scores[pillar.pillar] for pillar in PILLARS), Decimal(0))
    return (total / len(PILLARS)).quantize(FINE, ROUND_HALF_EVEN)


def split_contributions(scores: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Return what each pillar adds to the average: a third of its score, in steps of 0.0001.

    The contributions sum to the average exactly.
    """
    units = {pillar.pillar: int(scores[pillar.pillar] / FINE) for pillar in PILLARS}
    floors = {name: units_of_pillar // len(PILLARS) for name, units_of_pillar in units.items()}
    # largest remainder method: thirds do not end, so what rounding down leaves over goes to the
    # largest remainders; sorting is stable, so ties fall in the order of the pillars
    left = int(average_score(scores) / FINE) - sum(floors.values())
    by_rest = sorted(units, key=lambda name: -(units[name] % len(PILLARS)))
    return {name: (base + (name in by_rest[:left])) * FINE for name, base in floors.items()}


def effective_weight(weight: Decimal, *, held: Decimal) -> Decimal:
    """Return an input's weight if only `held` of the total weight has data, scaled to sum to 1."""
    return (weight / held).quantize(FINEST_WEIGHT, ROUND_HALF_EVEN).normalize()


def worst_label(labels: list[Label]) -> Label:
    """Return the worst of several data quality labels."""
    return max(labels, key=LABELS.index)
