"""How far prices move: yearly volatility of the changes that were seen. Pure."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from math import log, sqrt

# about forty changes of daily rates
VOLATILITY_WINDOW = timedelta(days=60)
# fewest changes, for series that change less often: a year of months
FEWEST_CHANGES = 12
DAYS_PER_YEAR = 365.25
# by which markets count
BUSINESS_DAYS_PER_YEAR = 252
# one-sided 95 per cent quantile of the normal distribution
LOSS_QUANTILE = 1.645

PriceHistory = Sequence[tuple[date, Decimal]]


def rolling_volatilities(past: PriceHistory) -> list[tuple[date, float]]:
    """Return for each day the volatility of the changes that end with it, in per cent a year.

    The root mean square of the changes of the last sixty days, or of the last twelve changes if
    these are fewer, annualised by their frequency. Daily and monthly series are thus on one scale.
    """
    days = [day for day, value in past if value > 0]
    logs = [log(value) for _, value in past if value > 0]
    # running sums of squares: each window is one subtraction
    squares = [0.0]
    for before, after in pairwise(logs):
        squares.append(squares[-1] + (after - before) ** 2)
    volatilities = []
    for at in range(FEWEST_CHANGES, len(days)):
        first = min(bisect_left(days, days[at] - VOLATILITY_WINDOW), at - FEWEST_CHANGES)
        span = (days[at] - days[first]).days / DAYS_PER_YEAR
        volatilities.append((days[at], 100 * sqrt((squares[at] - squares[first]) / span)))
    return volatilities


def loss_at_risk(volatility: float, days: int) -> float:
    """Return the loss in per cent that one move in twenty over so many business days exceeds."""
    return LOSS_QUANTILE * volatility * sqrt(days / BUSINESS_DAYS_PER_YEAR)
