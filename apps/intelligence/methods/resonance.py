"""How much of what markets do is one movement: the absorption ratio (Kritzman et al. 2011)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods.comoving import Moves, correlation, moves, of_months
from apps.intelligence.methods.lapsing import graver
from apps.intelligence.methods.months import Floats, first_day
from apps.intelligence.methods.triggering import FINE, placed
from apps.intelligence.rules.webs import ABSORBING, GOODS, RESONANCE, WINDOW, band
from apps.signals.composing import place, split
from apps.signals.quality import Unavailable

DOLLARS = tuple(
    f"fx.usd.{code}" for code in ("AUD", "CAD", "CHF", "CNY", "EUR", "GBP", "INR", "JPY")
)
SERIES = (*DOLLARS, *GOODS)
LONG = 120 - WINDOW  # ratios, each of a window: ten years of figures


def compute(known: Known) -> Made:
    """Return the resonance of markets; raises Unavailable under ten years of months in common."""
    quality = known.judge([known.input(name) for name in SERIES])
    then = known.ageless
    months = of_months(then, SERIES)
    scores = {name: placed(then, name) for name in months}

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        found = moves({name: months[name] for name in nodes if name in months})
        return _computed(then, found, scores)

    return graver(known, quality, SERIES, computed, "resonance_score")


def _computed(known: Known, found: Moves, scores: Mapping[str, Decimal | None]) -> dict[str, Any]:
    ratios = rolling(found)
    if len(ratios) < LONG:
        raise Unavailable("The histories that this rests on span less than ten years together.")
    last = ratios[-1]
    score = place(last, sorted(ratios), 1)
    shift = _shift([float(one) for one in ratios])
    return {
        "resonance_score": score,
        "regime": band(RESONANCE, score),
        "absorption_ratio": last,
        "standardised_shift": rounded(shift, FINE),
        "eigenvectors": kept(len(found.names)),
        "window_months": WINDOW,
        "window_ends": first_day(found.months[-1]),
        "ratios": len(ratios),
        "components": _components(known, found, score, scores),
    }


def kept(series: int) -> int:
    """Return how many eigenvectors of so many series are kept: a fifth, and at least one."""
    return max(1, round(series / ABSORBING))


def rolling(found: Moves) -> list[Decimal]:
    """Return the absorption ratio of each window, oldest first."""
    if len(found.months) < WINDOW:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(found.values, WINDOW, axis=0)
    # all at once: one window after the other takes ten times as long
    ratios = absorbed(np.swapaxes(windows, -1, -2)).sum(axis=-1)
    return [rounded(one, FINE) for one in ratios.tolist()]


def absorbed(values: Floats) -> Floats:
    """Return what each column has of the variance that the largest eigenvectors absorb, of 1.

    Of correlations, so that what moves most does not count most. `values` is one window, or more.
    """
    lambdas, vectors = np.linalg.eigh(correlation(values))
    number = kept(values.shape[-1])
    parts = (vectors[..., -number:] ** 2 * lambdas[..., None, -number:]).sum(axis=-1)
    total = np.maximum(lambdas.sum(axis=-1, keepdims=True), 1e-12)
    return np.asarray(parts / total, dtype=np.float64)


def _shift(ratios: list[float]) -> float:
    """Return how far the mean of a year is above that of all, in standard deviations."""
    spread = float(np.std(ratios))
    return (float(np.mean(ratios[-12:])) - float(np.mean(ratios))) / spread if spread else 0.0


def _components(
    known: Known, found: Moves, score: Decimal, scores: Mapping[str, Decimal | None]
) -> list[dict[str, Any]]:
    """Return the series by what they have of the common movement; they sum to the score."""
    parts = absorbed(found.values[-WINDOW:])
    weights = parts / parts.sum()
    exact = [score * rounded(float(one), Decimal("1e-12")) for one in weights]
    shares = split(exact, held=Decimal(1))
    told = zip(found.names, weights.tolist(), shares, strict=True)
    return [_component(known, scores[one[0]], *one) for one in told]


def _component(
    known: Known, placed_at: Decimal | None, name: str, weight: float, share: Decimal
) -> dict[str, Any]:
    point = known.point(name)
    assert point is not None
    return telling.seen(point, score=placed_at) | {
        "weight": rounded(weight, FINE),
        "contribution": share,
    }
