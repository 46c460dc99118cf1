"""How well scores rank: AUC, average precision, precision at 100, with bootstrap intervals."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# accounts that a team could review, of the highest scores
TOP = 100
# of the bootstrap; SEED makes a report reproducible
DRAWS = 200
SEED = 20261122
Numbers = np.ndarray


def compute_auc(scores: Numbers, bad: Numbers) -> float:
    """Return the chance that a bad account scores above a good one; ties count half."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    # the mean rank within each group of ties (Mann-Whitney U)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    wrong = int(bad.sum())
    right = len(bad) - wrong
    if not wrong or not right:
        return float("nan")
    return float((ranks[bad].sum() - wrong * (wrong + 1) / 2) / (wrong * right))


def average_precision(scores: Numbers, bad: Numbers) -> float:
    """Return the mean precision at each bad account; ties keep the given order."""
    ranked = bad[np.argsort(-scores, kind="stable")]
    if not ranked.any():
        return float("nan")
    hits = np.cumsum(ranked)
    return float((hits / np.arange(1, len(ranked) + 1))[ranked].mean())


def precision_at(scores: Numbers, bad: Numbers) -> float:
    """Return the share of bad accounts among the 100 that score highest."""
    return float(bad[np.argsort(-scores, kind="stable")[:TOP]].mean())


MEASURES: dict[str, Callable[[Numbers, Numbers], float]] = {
    "auc": compute_auc,
    "average_precision": average_precision,
    "precision_at_100": precision_at,
}


@dataclass(frozen=True, slots=True)
class MetricEstimate:
    """A figure with the interval in which 95 % of its bootstrap draws lie."""

    value: float
    low: float
    high: float


def measure_ranking(scores: Numbers, bad: Numbers) -> dict[str, MetricEstimate]:
    """Return every measure; the accounts are shuffled first, so that ties are unbiased."""
    chance = np.random.default_rng(SEED)
    order = chance.permutation(len(scores))
    scores, bad = scores[order], bad[order]
    drawn: dict[str, list[float]] = {name: [] for name in MEASURES}
    for _ in range(DRAWS):
        picked = chance.integers(0, len(scores), len(scores))
        for name, measure in MEASURES.items():
            drawn[name].append(measure(scores[picked], bad[picked]))
    return {
        name: MetricEstimate(measure(scores, bad), *_bootstrap_interval(drawn[name]))
        for name, measure in MEASURES.items()
    }


def _bootstrap_interval(drawn: list[float]) -> tuple[float, float]:
    if all(np.isnan(drawn)):
        return float("nan"), float("nan")
    # a draw without a bad account measures nothing and is left out
    low, high = np.nanpercentile(drawn, (2.5, 97.5))
    return float(low), float(high)
