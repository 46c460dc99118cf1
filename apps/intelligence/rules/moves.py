"""How far prices move: yearly volatility of the changes that were seen. Pure."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from math import log, sqrt

NEAR = timedelta(days=60)  # of daily rates, about forty changes
FEWEST = 12  # changes, where they come seldom: a year of months
YEAR = 365.25
BUSINESS = 252  # business days of a year, by which markets count
QUANTILE = 1.645  # of a normal move, 95 in a hundred stay within it on the bad side

Past = Sequence[tuple[date, Decimal]]


def volatilities(past: Past) -> list[tuple[date, float]]:
    """Return for each day the volatility of the changes that end with it, in per cent a year.

    Of the changes of the last sixty days or, where these are fewer than twelve, of the last
    twelve: the root of their mean square, times how many of them fit into a year. What comes
    seldom or often is so on one scale.
    """
    days = [day for day, value in past if value > 0]
    logs = [log(value) for _, value in past if value > 0]
    squares = [0.0]
    for before, after in pairwise(logs):
        squares.append(squares[-1] + (after - before) ** 2)
    found = []
    for at in range(FEWEST, len(days)):
        first = min(bisect_left(days, days[at] - NEAR), at - FEWEST)
        span = (days[at] - days[first]).days / YEAR
        found.append((days[at], 100 * sqrt((squares[at] - squares[first]) / span)))
    return found


def at_risk(volatility: float, days: int) -> float:
    """Return the loss in per cent that one move in twenty over so many business days exceeds."""
    return QUANTILE * volatility * sqrt(days / BUSINESS)
