"""Risk of water: what is withdrawn, how dry farming zones are, drought of the United States."""

from apps.intelligence.known import Known, Made
from apps.intelligence.methods import averages
from apps.intelligence.methods.climate import dryness
from apps.intelligence.methods.gauging import Strain, answer
from apps.intelligence.rules.nature import DROUGHTS, RAIN_WEIGHT, WITHDRAWALS
from apps.intelligence.rules.zones import ZONES


def compute(known: Known) -> Made:
    """Return the risk of water; raises Unavailable where too little is known."""
    rain = [
        Strain(
            series=zone.series,
            weight=RAIN_WEIGHT,
            score=dryness(averages.by_year(known.ageless.history(zone.series))),
        )
        for zone in ZONES
    ]
    gauges = (*WITHDRAWALS, *DROUGHTS)
    return answer(known, gauges, headline="water_risk_score", beside=rain)
