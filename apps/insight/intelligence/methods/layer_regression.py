"""Evidence on edges between layers: lagged regressions, with a bound on false discoveries."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.insight.intelligence.rules.layer_links import FALSE_SHARE, LEAST_MONTHS, LayerLink

ScoreByMonth = Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeEvidence:
    """What the figures say of an edge: partial correlation, and how unlikely it is by chance.

    `months` is the number of pairs of months; with too few, `p` is 1 and `strength` 0. `found` says
    that the edge is significant when all edges are tested together.
    """

    months: int
    strength: float = 0.0
    p: float = 1.0
    found: bool = False


def regress_edge(source: ScoreByMonth, target: ScoreByMonth, lag: int) -> EdgeEvidence:
    """Return how a target follows its source `lag` months later, beyond following itself.

    target(t) = a + b·target(t-1) + c·source(t-lag); `strength` is the partial correlation of c,
    and `p` is two-sided, of the normal distribution.
    """
    times = [at for at in sorted(target) if at - 1 in target and at - lag in source]
    if len(times) < LEAST_MONTHS:
        return EdgeEvidence(months=len(times))
    y = np.array([target[at] for at in times])
    own = np.array([target[at - 1] for at in times])
    others = np.array([source[at - lag] for at in times])
    x = np.column_stack([np.ones(len(times)), own, others])
    free = len(times) - x.shape[1]
    coefficients, _, rank, _ = np.linalg.lstsq(x, y, rcond=None)
    rest = y - x @ coefficients
    variance = float(rest @ rest) / free
    # collinear or constant columns: nothing can be concluded, which is not evidence against the
    # edge
    if rank < x.shape[1] or variance < 1e-12:
        return EdgeEvidence(months=len(times))
    error = math.sqrt(variance * float(np.linalg.inv(x.T @ x)[2, 2]))
    t = float(coefficients[2]) / error
    strength = t / math.sqrt(t * t + free)
    return EdgeEvidence(months=len(times), strength=strength, p=math.erfc(abs(t) / math.sqrt(2)))


def estimate_edges(
    links: Sequence[LayerLink], nodes: Mapping[str, ScoreByMonth]
) -> list[EdgeEvidence]:
    """Return the evidence on each edge; all edges are tested together."""
    edges = [regress_edge(nodes[link.source], nodes[link.target], link.months) for link in links]
    is_discovery = select_discoveries([edge.p for edge in edges])
    return [
        EdgeEvidence(months=edge.months, strength=edge.strength, p=edge.p, found=good)
        for edge, good in zip(edges, is_discovery, strict=True)
    ]


def select_discoveries(chances: Sequence[float], share: float = FALSE_SHARE) -> list[bool]:
    """Return which tests are significant at a false discovery rate.

    Benjamini and Hochberg 1995, JRSS B 57(1): the largest k whose k-th smallest p-value is at most
    k/m of the rate; all up to it are significant.
    """
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    last = max(
        (k for k, at in enumerate(order, 1) if chances[at] <= share * k / len(chances)), default=0
    )
    selected = set(order[:last])
    return [at in selected for at in range(len(chances))]
