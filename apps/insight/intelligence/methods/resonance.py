"""How much of the movement of markets is common: the absorption ratio (Kritzman et al. 2011)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.comovement import (
    MonthlyMoves,
    align_monthly_moves,
    correlation_matrix,
    positive_monthly_values,
)
from apps.insight.intelligence.methods.monthly_values import Floats, first_day_of_month
from apps.insight.intelligence.methods.stale_inputs import compute_most_strained
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS, place_in_own_history
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import (
    GOODS,
    RESONANCE_BANDS,
    SERIES_PER_EIGENVECTOR,
    WINDOW_MONTHS,
)
from apps.reference.signals.composition import rank_in_history, split_score
from apps.reference.signals.quality import TooFewInputs, describe_short_history

DOLLARS = tuple(
    f"fx.usd.{code}" for code in ("AUD", "CAD", "CHF", "CNY", "EUR", "GBP", "INR", "JPY")
)
SERIES = (*DOLLARS, *GOODS)
# ratios, one for each window: with the first window they span ten years of figures
LEAST_RATIOS = 120 - WINDOW_MONTHS


def compute_resonance(known: MethodInputs) -> MethodResult:
    """Return the resonance of markets; raises TooFewInputs under ten years of months in common."""
    quality = known.judge([known.input(name) for name in SERIES])
    then = known.ageless
    months = positive_monthly_values(then, SERIES)
    scores = {name: place_in_own_history(then, name) for name in months}

    def computed(nodes: Sequence[str]) -> dict[str, Any]:
        monthly_moves = align_monthly_moves(
            {name: months[name] for name in nodes if name in months}
        )
        ratios = rolling_absorption_ratios(monthly_moves)
        if len(ratios) < LEAST_RATIOS:
            short_history = describe_short_history(
                len(monthly_moves.months), of=LEAST_RATIOS + WINDOW_MONTHS - 1
            )
            raise TooFewInputs(f"Common {short_history}: {', '.join(monthly_moves.names)}.")
        last = ratios[-1]
        score = rank_in_history(last, sorted(ratios), 1)
        shift = _standardised_shift([float(ratio) for ratio in ratios])
        # shares of the absorbed variance, scaled so that the contributions sum to the score
        parts = absorbed_shares(monthly_moves.values[-WINDOW_MONTHS:])
        weights = parts / parts.sum()
        exact = [score * round_to_step(float(weight), Decimal("1e-12")) for weight in weights]
        shares = split_score(exact, held=Decimal(1))
        rows = zip(monthly_moves.names, weights.tolist(), shares, strict=True)
        return {
            "resonance_score": score,
            "regime": label_of_score(score, RESONANCE_BANDS),
            "absorption_ratio": last,
            "standardised_shift": round_to_step(shift, FOUR_DECIMALS),
            "eigenvectors": count_kept_eigenvectors(len(monthly_moves.names)),
            "window_months": WINDOW_MONTHS,
            "window_ends": first_day_of_month(monthly_moves.months[-1]),
            "ratios": len(ratios),
            "components": [_serialize_series_share(then, scores[row[0]], *row) for row in rows],
        }

    return compute_most_strained(known, quality, SERIES, computed, "resonance_score")


def count_kept_eigenvectors(series: int) -> int:
    """Return how many eigenvectors of so many series are kept: a fifth, and at least one."""
    return max(1, round(series / SERIES_PER_EIGENVECTOR))


def rolling_absorption_ratios(monthly_moves: MonthlyMoves) -> list[Decimal]:
    """Return the absorption ratio of each window, oldest first."""
    if len(monthly_moves.months) < WINDOW_MONTHS:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(monthly_moves.values, WINDOW_MONTHS, axis=0)
    # all at once: one window after the other takes ten times as long
    ratios = absorbed_shares(np.swapaxes(windows, -1, -2)).sum(axis=-1)
    return [round_to_step(ratio, FOUR_DECIMALS) for ratio in ratios.tolist()]


def absorbed_shares(values: Floats) -> Floats:
    """Return each column's part of the variance that the largest eigenvectors absorb, of 1.

    `values` is one window, or several.
    """
    # of correlations and not of covariances: otherwise what moves most would count most
    lambdas, vectors = np.linalg.eigh(correlation_matrix(values))
    number = count_kept_eigenvectors(values.shape[-1])
    parts = (vectors[..., -number:] ** 2 * lambdas[..., None, -number:]).sum(axis=-1)
    total = np.maximum(lambdas.sum(axis=-1, keepdims=True), 1e-12)
    return np.asarray(parts / total, dtype=np.float64)


def _standardised_shift(ratios: list[float]) -> float:
    """Return how far the mean of a year is above that of all, in standard deviations."""
    spread = float(np.std(ratios))
    return (float(np.mean(ratios[-12:])) - float(np.mean(ratios))) / spread if spread else 0.0


def _serialize_series_share(
    method_inputs: MethodInputs, placed_at: Decimal | None, name: str, weight: float, share: Decimal
) -> dict[str, Any]:
    point = method_inputs.point(name)
    assert point is not None
    return component_payloads.serialize_component(point, score=placed_at) | {
        "weight": round_to_step(weight, FOUR_DECIMALS),
        "contribution": share,
    }
