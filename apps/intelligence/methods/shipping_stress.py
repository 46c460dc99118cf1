"""Strain of shipping: pressure on supply chains, freight, fuel, and four straits."""

from decimal import Decimal
from typing import Any

from apps.intelligence.known import Known, Made
from apps.intelligence.methods.chokepoints import STRAITS, strait_of
from apps.intelligence.rules import straits
from apps.intelligence.rules.bands import band
from apps.intelligence.weighing import Scored, place_now, weigh
from apps.signals.composites.rows import CALM

# by place in their own history: the index that was made for it weighs most; freight by its yearly
# change, because prices alone would always be near their highest; fuel is a cost and no bottleneck
PLACED: dict[str, tuple[str, bool]] = {
    "trade.gscpi": ("0.4", True),
    "trade.freight.yoy": ("0.1", False),
    "oil.brent.month": ("0.1", False),
}
# each strait alike: ships that cannot pass one cannot take another instead
STRAIT = Decimal("0.1")
SERIES = (*PLACED, *STRAITS.values())


def compute(known: Known) -> Made:
    """Return the strain of shipping; raises Unavailable without the index of New York."""
    then = known.ageless
    placed = [
        Scored(series=name, weight=Decimal(weight), score=place_now(then, name), required=required)
        for name, (weight, required) in PLACED.items()
    ]
    passed = [
        Scored(
            series=name,
            weight=STRAIT,
            score=straits.strain(straits.shortfall(then.history(name))),
        )
        for name in STRAITS.values()
    ]
    made = weigh(known, [*placed, *passed])
    body: dict[str, Any] = {
        "stress_index": made.score,
        "regime": band(made.score, CALM),
        "components": made.components,
        "chokepoints": [strait_of(known, name, series) for name, series in STRAITS.items()],
    }
    return Made(body=body, quality=made.quality)
