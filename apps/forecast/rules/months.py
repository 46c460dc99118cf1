"""The crop calendar: what the weather of each month decides, and what it did before. Pure."""

from calendar import month_name
from typing import Any

from apps.forecast.rules.analogues import Analogue
from apps.forecast.rules.growing import GROWTHS, REGIONS, Growth
from apps.forecast.rules.markets import SYMBOLS, market_of
from apps.forecast.rules.scenarios import SCENARIOS

LOW, MODERATE, HIGH = "LOW", "MODERATE", "HIGH"
SEVERITIES = (LOW, MODERATE, HIGH)
# dated disasters of the scenarios that began in a month, fewer than -> its word
BOUNDS = ((2, LOW), (6, MODERATE))


def severity(disasters: int) -> str:
    """Return the word for how many disasters began in a month."""
    return next((word for bound, word in BOUNDS if disasters < bound), HIGH)


def month(number: int) -> dict[str, Any]:
    """Return a month of 1 to 12; see MonthOut."""
    deciding = [one for one in GROWTHS if number in one.months or number in one.cold]
    began = sorted(
        {
            (one.year, _named(one))
            for scenario in SCENARIOS
            if not scenario.index  # a state of the sea over seasons is no disaster of its month
            for one in scenario.analogues
            if one.month == number
        }
    )
    return {
        "month": number,
        "name": month_name[number],
        "events": [_event(one, number in one.cold) for one in deciding],
        "commodities_at_risk": [
            name for name in SYMBOLS if any(one.symbol == name for one in deciding)
        ],
        "historical_severity": severity(len({year for year, _ in began})),
        "disasters": [said for _, said in began],
    }


def _named(one: Analogue) -> str:
    """Return an analogue with its year, where its name does not say it."""
    return one.event if str(one.year) in one.event else f"{one.event} ({one.year})"


def _event(one: Growth, cold: bool) -> str:
    market = market_of(one.symbol)
    title = market.title if market else one.symbol
    return f"{title}, {REGIONS[one.region].name}: {'cold' if cold else 'weather'} decides"


MONTHS = tuple(month(number) for number in range(1, 13))
