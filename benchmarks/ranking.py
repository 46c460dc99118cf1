"""How well scores rank what is true before what is not."""

import numpy as np
from numpy.typing import NDArray


def auc(truth: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """Return the share of (match, other) pairs that the scores order rightly, ties half."""
    _values, group, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[group]
    matches, others = int(truth.sum()), int((~truth).sum())
    return float((ranks[truth].sum() - matches * (matches + 1) / 2) / (matches * others))
