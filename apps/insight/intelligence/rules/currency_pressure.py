"""Words for what the dollar does, and when a currency is under pressure. Pure."""

from decimal import Decimal

from apps.insight.intelligence.rules.price_breadth import FALL, MIXED, RISE, UNKNOWN

# per cent that a currency lost against the dollar in thirty days, from which it is under pressure
# (document 3 section 2.7, of China's)
PRESSURE_PCT = Decimal(2)
STRENGTHENING, WEAKENING = "STRENGTHENING", "WEAKENING"
# what a broad move of what a dollar costs is -> what the dollar does
TRENDS = {RISE: STRENGTHENING, FALL: WEAKENING, MIXED: MIXED, UNKNOWN: UNKNOWN}
TREND_WORDS = tuple(TRENDS.values())


def is_under_pressure(change: Decimal | None) -> bool:
    """Tell whether a currency is under pressure, by the dollar's rise against it in per cent."""
    return change is not None and change > PRESSURE_PCT
