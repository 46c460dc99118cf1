"""Intervals in which a figure lies with 95 %: of shares by Wilson, of anything else by drawing."""

from collections.abc import Callable
from math import sqrt

import numpy as np
from numpy.typing import NDArray

_Z = 1.959964  # the normal distribution has 95 % within so many deviations
_SEED = 20261124


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the interval of a share of counts (Wilson 1927)."""
    share, square = hits / of, _Z * _Z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _Z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return round(max(0.0, middle - half), 5), round(min(1.0, middle + half), 5)


def drawn(
    number: int, draws: int, measure: Callable[[NDArray[np.int64]], float]
) -> tuple[float, float]:
    """Return the interval of a measure of rows by bootstrap: rows are drawn with replacement."""
    chance = np.random.default_rng(_SEED)
    found = [measure(chance.integers(0, number, number)) for _ in range(draws)]
    low, high = np.percentile(found, (2.5, 97.5))
    return round(float(low), 4), round(float(high), 4)
