"""Forecast of the next regime: an ordered chain over the score, with leading signals. Pure.

The forecast is the distribution of score changes after past months with a similar score (a Gaussian
kernel over the score), moved by the leading signals. One additional case is spread over the regimes
by their frequency in the whole past, so that none is impossible (Laplace).
"""

from collections.abc import Sequence
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

from apps.insight.intelligence.regimes.leading_signals import LEADING_SIGNALS, LeadingSignal
from apps.insight.intelligence.regimes.past_months import RegimeMonth
from apps.insight.intelligence.rules.regimes import MONTH, REGIME_EDGES, REGIMES, regime_index

Floats = NDArray[np.float64]
# points of the score: a month this far away weighs 0.6
KERNEL_WIDTH = 15.0
# standard deviation, in points, by which each past change is smoothed
CHANGE_SMOOTHING = 2.5
# ridge penalty of the signals' factors, in months
RIDGE_PENALTY = 5.0
# cases that the regime frequencies of the whole past count for
PRIOR_CASES = 1.0
# fewest months with all signals for the signals to be used
FEWEST_SIGNAL_MONTHS = 40


def climatology_chances(past: Sequence[RegimeMonth]) -> list[float]:
    """Return the frequency of each regime, with one additional case of each (Laplace)."""
    counts = (
        np.bincount(
            [regime_index(regime_month.score) for regime_month in past], minlength=len(REGIMES)
        )
        + 1.0
    )
    return list(counts / counts.sum())


def persistence_chances(score: float) -> list[float]:
    """Return certainty that the present regime stays."""
    return [float(at == regime_index(score)) for at in range(len(REGIMES))]


def markov_chances(past: Sequence[RegimeMonth], score: float, days: int) -> list[float]:
    """Return a Markov chain of the five regimes, with one additional case of each (Laplace)."""
    counts = np.ones(len(REGIMES))
    for before, after in _pair_with_later_months(past, days):
        if regime_index(before.score) == regime_index(score):
            counts[regime_index(after.score)] += 1
    return list(counts / counts.sum())


def regression_chances(past: Sequence[RegimeMonth], score: float, days: int) -> list[float]:
    """Return an ordered regression: a linear fit of the later score, with its empirical errors."""
    pairs = _pair_with_later_months(past, days)
    whole = climatology_chances(past)
    if len(pairs) < FEWEST_SIGNAL_MONTHS:
        return whole
    before = np.array([month.score for month, _ in pairs])
    after = np.array([month.score for _, month in pairs])
    spread = float(((before - before.mean()) ** 2).sum())
    slope = (
        float(((before - before.mean()) * (after - after.mean())).sum()) / spread if spread else 0
    )
    errors = after - after.mean() - slope * (before - before.mean())
    reached = after.mean() + slope * (score - before.mean()) + errors
    counts = _weight_by_regime(reached, np.ones(len(pairs))) + PRIOR_CASES * np.array(whole)
    return list(counts / counts.sum())


def forecast_regime_chances(
    past: Sequence[RegimeMonth],
    now: RegimeMonth,
    days: int,
    *,
    leads: Sequence[LeadingSignal] = LEADING_SIGNALS,
) -> list[float]:
    """Return the probability of each regime `days` after the month `now`."""
    pairs = _pair_with_later_months(past, days)
    whole = climatology_chances(past)
    if not pairs:
        return whole
    before = np.array([month.score for month, _ in pairs])
    change = np.array([after.score - month.score for month, after in pairs])
    heard = [lead for lead in leads if lead.name in now.leads]
    expected, rest = _expected_change(pairs, change, now, heard, days)
    near = np.exp(-0.5 * ((before - now.score) / KERNEL_WIDTH) ** 2)
    reached = now.score + expected + rest
    counts = _weight_by_regime(reached, near) + PRIOR_CASES * np.array(whole)
    return list(counts / counts.sum())


def _pair_with_later_months(
    past: Sequence[RegimeMonth], days: int
) -> list[tuple[RegimeMonth, RegimeMonth]]:
    """Return pairs of months that are `days` apart, if both are known."""
    numbered = {regime_month.number: regime_month for regime_month in past}
    ahead = days // MONTH
    return [
        (regime_month, numbered[regime_month.number + ahead])
        for regime_month in past
        if regime_month.number + ahead in numbered
    ]


def _expected_change(
    pairs: Sequence[tuple[RegimeMonth, RegimeMonth]],
    change: Floats,
    now: RegimeMonth,
    leads: Sequence[LeadingSignal],
    days: int,
) -> tuple[float, Floats]:
    """Return the change that the signals indicate, and the unexplained rest of each past case."""
    good = [all(lead.name in month.leads for lead in leads) for month, _ in pairs]
    if not leads or sum(good) < FEWEST_SIGNAL_MONTHS:
        return 0.0, change
    leads_by_month = np.array(
        [[month.leads.get(lead.name, np.nan) for lead in leads] for month, _ in pairs]
    )
    mean, spread = leads_by_month[good].mean(axis=0), leads_by_month[good].std(axis=0) + 1e-9
    weights = np.array([lead.weight(days) for lead in leads])
    # a smaller weight shrinks the column, which the ridge then penalises more
    signals = np.where(np.isfinite(leads_by_month), (leads_by_month - mean) / spread, 0.0) * weights
    score = np.array([month.score for month, _ in pairs])
    pull = (score - score.mean()) / (score.std() + 1e-9)
    # the score itself is in the regression, so that signals do not take over its return to the mean
    table = np.column_stack([pull, signals])
    doubt = RIDGE_PENALTY * np.eye(table.shape[1])
    # [1:] drops the factor of the score: the kernel accounts for it already
    factors = np.linalg.solve(table.T @ table + doubt, table.T @ (change - change.mean()))[1:]
    own = (np.array([now.leads[lead.name] for lead in leads]) - mean) / spread * weights
    return float(own @ factors), change - signals @ factors


def _weight_by_regime(reached: Floats, weights: Floats) -> Floats:
    """Return how much weight of the scores that may be reached falls into each regime."""
    scale = CHANGE_SMOOTHING * sqrt(2)
    below = [
        float(
            np.dot(
                weights, [0.5 * (1 + erf((edge - regime_edge) / scale)) for regime_edge in reached]
            )
        )
        for edge in REGIME_EDGES
    ]
    return np.diff([0.0, *below, float(weights.sum())])
