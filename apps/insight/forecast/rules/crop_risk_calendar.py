"""The crop calendar: what the weather of each month decides, with past examples. Pure."""

from calendar import month_name
from typing import Any

from apps.insight.forecast.rules.historical_analogues import Analogue
from apps.insight.forecast.rules.markets import SYMBOLS, market_of_symbol
from apps.insight.forecast.rules.regions import GROWTHS, REGIONS, Growth
from apps.insight.forecast.rules.scenarios import SCENARIOS

LOW, MODERATE, HIGH = "LOW", "MODERATE", "HIGH"
SEVERITIES = (LOW, MODERATE, HIGH)
# number of past disasters that began in a month, below which it has this severity; ours
BOUNDS = ((2, LOW), (6, MODERATE))


def severity_of_month(disasters: int) -> str:
    """Return the word for how many disasters began in a month."""
    return next((word for bound, word in BOUNDS if disasters < bound), HIGH)


def build_month(number: int) -> dict[str, Any]:
    """Return a month of 1 to 12; see MonthOut."""
    deciding = [growth for growth in GROWTHS if number in growth.months or number in growth.cold]
    began = sorted(
        {
            (analogue.year, _name_with_year(analogue))
            for scenario in SCENARIOS
            # La Niña is a state of the ocean over seasons, and no disaster of one month
            if not scenario.index
            for analogue in scenario.analogues
            if analogue.month == number
        }
    )
    return {
        "month": number,
        "name": month_name[number],
        "events": [_describe_growth(growth, number in growth.cold) for growth in deciding],
        "commodities_at_risk": [
            name for name in SYMBOLS if any(growth.symbol == name for growth in deciding)
        ],
        # by years: one summer may be an analogue of several scenarios
        "historical_severity": severity_of_month(len({year for year, _ in began})),
        "disasters": [event_name for _, event_name in began],
    }


def _name_with_year(analogue: Analogue) -> str:
    """Return an analogue with its year, where its name does not say it."""
    return (
        analogue.event
        if str(analogue.year) in analogue.event
        else f"{analogue.event} ({analogue.year})"
    )


def _describe_growth(growth: Growth, cold: bool) -> str:
    market = market_of_symbol(growth.symbol)
    title = market.title if market else growth.symbol
    return f"{title}, {REGIONS[growth.region].name}: {('cold' if cold else 'weather')} decides"


MONTHS = tuple(build_month(number) for number in range(1, 13))
