"""The composites that the live score rests on: those of signals, and one of its own."""

from datetime import date
from decimal import Decimal

from apps.insight.esg.oracle.rules.live_score import PILLARS
from apps.reference.signals.composites import Composite, Part, find_composite

LIVING_COSTS = Composite(
    name="living-costs",
    title="Cost of living: consumer prices, bread grains, fuel",
    # fixed for good: a moving start would change the rank of past values
    start=date(2000, 1, 1),
    parts=(
        Part(series="us.cpi.yoy", weight=Decimal("0.4")),
        Part(series="wheat", weight=Decimal("0.2")),
        Part(series="corn", weight=Decimal("0.2")),
        Part(series="oil.brent.month", weight=Decimal("0.2")),
    ),
    bands=((25, "CALM"), (50, "MODERATE"), (75, "STRESSED"), (100, "CRISIS")),
)
OWN_COMPOSITES = {LIVING_COSTS.name: LIVING_COSTS}


def composite_of_name(name: str) -> Composite:
    """Return the row of a composite; KeyError for one that is in no table."""
    return OWN_COMPOSITES[name] if name in OWN_COMPOSITES else find_composite(name)


PILLAR_COMPOSITES = {pillar.pillar: composite_of_name(pillar.composite) for pillar in PILLARS}
