"""Water risk: withdrawals, dryness of farming zones, drought in the United States."""

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.methods import trend_statistics
from apps.insight.intelligence.methods.climate import measure_dryness
from apps.insight.intelligence.methods.gauge_scores import build_gauge_answer
from apps.insight.intelligence.rules.farming_zones import ZONES
from apps.insight.intelligence.rules.sustainability_gauges import DROUGHTS, RAIN_WEIGHT, WITHDRAWALS
from apps.insight.intelligence.weighted_scores import ScoredInput


def compute_water_risk(known: MethodInputs) -> MethodResult:
    """Return the risk of water; raises TooFewInputs where too little is known."""
    rain = [
        ScoredInput(
            series=zone.series,
            weight=RAIN_WEIGHT,
            score=measure_dryness(
                trend_statistics.values_by_year(known.ageless.history(zone.series))
            ),
        )
        for zone in ZONES
    ]
    gauges = (*WITHDRAWALS, *DROUGHTS)
    return build_gauge_answer(known, gauges, headline="water_risk_score", beside=rain)
