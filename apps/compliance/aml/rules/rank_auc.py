"""How well points rank what officers decided. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence


def compute_rank_auc(points: Sequence[int], bad: Sequence[bool]) -> float:
    """Return the AUC: the chance that something bad has more points, ties half; 0.5 for none."""
    right = sorted(p for p, flag in zip(points, bad, strict=True) if not flag)
    wrong = [p for p, flag in zip(points, bad, strict=True) if flag]
    if not right or not wrong:
        return 0.5
    # below counts twice, equal once: halves of ties in whole numbers
    above = sum(bisect_left(right, p) + bisect_right(right, p) for p in wrong)
    return above / (2 * len(right) * len(wrong))
