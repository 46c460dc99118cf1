"""Measure how far one series leads another: the lag at which their changes correlate most. Pure.

If the histories are too short, or no lag is significant, there is no lead. Gaps are never bridged:
only changes over neighbouring periods count.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from math import sqrt
from statistics import StatisticsError, correlation

# weeks of lag that are tested: half a year
WEEK_LAGS = range(27)
# months of lag, in which prices of goods and shipping reach consumer prices
MONTH_LAGS = range(1, 19)
# fewest pairs for a correlation
LEAST_PAIRS = 60
# a correlation must exceed this many of its standard errors: of 27 lags tested, the best one passes
# 3 by chance in one case of twenty (Bonferroni: 0.05 / 27 two-sided is 3.1)
LEAST_STANDARD_ERRORS = 3
UNKNOWN, NEUTRAL = "UNKNOWN", "NEUTRAL"
# what the dollar did after moves of stress like the newest one: it rose, it fell
DOLLAR = ("DOLLAR_BID", "DOLLAR_OFFERED")
DOLLAR_WORDS = (*DOLLAR, NEUTRAL, UNKNOWN)
PRICES = ("RISING", "EASING")
PRICE_WORDS = (*PRICES, NEUTRAL, UNKNOWN)

LevelByPeriod = Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadLag:
    """The lag of a leader's changes over a follower's at which they correlate most.

    `pairs` is how many pairs there were, `effective` how many independent ones they are worth.
    """

    lag: int
    correlation: float
    pairs: int
    effective: float

    @property
    def significant(self) -> bool:
        """Tell whether the correlation is significant."""
        enough = self.pairs >= LEAST_PAIRS and self.effective > 1
        return enough and abs(self.correlation) * sqrt(self.effective) > LEAST_STANDARD_ERRORS


def week_number(day: date) -> int:
    """Return the number of a day's week, which begins on Monday."""
    return (day.toordinal() - 1) // 7


def last_value_by_period(
    past: Iterable[tuple[date, Decimal]], period_of: Callable[[date], int]
) -> dict[int, float]:
    """Return the last value of each period."""
    return {period_of(day): float(value) for day, value in past}


def change_by_period(levels: LevelByPeriod, span: int = 1) -> dict[int, float]:
    """Return by how much each period differs from that `span` before, where both are known."""
    return {
        level: levels[level] - levels[level - span] for level in levels if level - span in levels
    }


def find_best_lag(
    leader: LevelByPeriod, follower: LevelByPeriod, lags: Iterable[int]
) -> LeadLag | None:
    """Return the lag at which the leader correlates most with the follower; None without pairs."""
    lead_lags = [lead_lag for lag in lags if (lead_lag := _correlate_at_lag(leader, follower, lag))]
    return max(
        lead_lags, key=lambda candidate: (abs(candidate.correlation), -candidate.lag), default=None
    )


def _correlate_at_lag(leader: LevelByPeriod, follower: LevelByPeriod, lag: int) -> LeadLag | None:
    shared = [month for month in sorted(leader) if month + lag in follower]
    first = [leader[month] for month in shared]
    second = [follower[month + lag] for month in shared]
    try:
        coefficient = correlation(first, second)
    # fewer than two pairs, or one side does not move
    except StatisticsError:
        return None
    return LeadLag(
        lag=lag,
        correlation=coefficient,
        pairs=len(shared),
        effective=_count_effective_pairs(shared, first, second),
    )


def _count_effective_pairs(
    at: Sequence[int], first: Sequence[float], second: Sequence[float]
) -> float:
    """Return the number of independent pairs that autocorrelated pairs are worth.

    n (1 - ab) / (1 + ab) of the autocorrelations a and b (Bartlett 1935), never more than n.
    """
    # only neighbouring periods: a gap is no autocorrelation
    places = [place for place in range(1, len(at)) if at[place] - at[place - 1] == 1]
    both = 1.0
    for values in (first, second):
        try:
            both *= correlation([values[n - 1] for n in places], [values[n] for n in places])
        except StatisticsError:
            return 0.0
    return len(at) * min(1.0, (1 - both) / (1 + both))


def word_of_lead(lead_lag: LeadLag | None, moves: LevelByPeriod, words: tuple[str, str]) -> str:
    """Return the word for a leader's newest move; the first word means a rise of the follower.

    NEUTRAL where the move is no larger than half of all moves, UNKNOWN where there is no lead.
    """
    if lead_lag is None or not lead_lag.significant:
        return UNKNOWN
    sizes = sorted(abs(move) for move in moves.values())
    newest = moves[max(moves)]
    if abs(newest) <= sizes[len(sizes) // 2]:
        return NEUTRAL
    return words[0] if newest * lead_lag.correlation > 0 else words[1]
