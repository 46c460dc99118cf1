"""Strain of shipping: pressure on supply chains, freight, fuel, and four straits."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.methods.chokepoints import STRAITS, serialize_strait
from apps.insight.intelligence.rules import straits
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.weighted_scores import (
    ScoredInput,
    combine_scored_inputs,
    newest_place_of_series,
)
from apps.reference.signals.composites.catalogue import CALM

# by percentile in their own history, with weight and whether required. The index made for the
# purpose weighs most; freight counts by its yearly change, because prices alone would always be
# near their highest; fuel is a cost and no bottleneck
PLACED_SERIES: dict[str, tuple[str, bool]] = {
    "trade.gscpi": ("0.4", True),
    "trade.freight.yoy": ("0.1", False),
    "oil.brent.month": ("0.1", False),
}
# the same for each strait: ships that cannot pass one cannot take another instead
STRAIT_WEIGHT = Decimal("0.1")
SERIES = (*PLACED_SERIES, *STRAITS.values())


def compute_shipping_stress(known: MethodInputs) -> MethodResult:
    """Return the strain of shipping; raises TooFewInputs without the New York Fed's index."""
    then = known.ageless
    placed = [
        ScoredInput(
            series=name,
            weight=Decimal(weight),
            score=newest_place_of_series(then, name),
            required=required,
        )
        for name, (weight, required) in PLACED_SERIES.items()
    ]
    passed = [
        ScoredInput(
            series=name,
            weight=STRAIT_WEIGHT,
            score=straits.strain_of_shortfall(straits.traffic_shortfall_pct(then.history(name))),
        )
        for name in STRAITS.values()
    ]
    scored_inputs = combine_scored_inputs(known, [*placed, *passed])
    body: dict[str, Any] = {
        "stress_index": scored_inputs.score,
        "regime": label_of_score(scored_inputs.score, CALM),
        "components": scored_inputs.components,
        "chokepoints": [serialize_strait(known, name, series) for name, series in STRAITS.items()],
    }
    return MethodResult(body=body, quality=scored_inputs.quality)
