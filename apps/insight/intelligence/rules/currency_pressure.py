"""Trend words for the dollar, and when a currency is under pressure. Pure."""

from decimal import Decimal

from apps.insight.intelligence.rules.price_breadth import FALL, MIXED, RISE, UNKNOWN

# per cent lost against the dollar in thirty days, above which a currency is under pressure
# (document 3 section 2.7, there for the renminbi)
PRESSURE_PCT = Decimal(2)
STRENGTHENING, WEAKENING = "STRENGTHENING", "WEAKENING"
# direction of most prices of a dollar -> trend of the dollar
TRENDS = {RISE: STRENGTHENING, FALL: WEAKENING, MIXED: MIXED, UNKNOWN: UNKNOWN}
TREND_WORDS = tuple(TRENDS.values())


def is_under_pressure(change: Decimal | None) -> bool:
    """Tell whether a currency is under pressure, by the dollar's rise against it in per cent."""
    return change is not None and change > PRESSURE_PCT
