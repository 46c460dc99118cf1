"""Recalibrate predictions towards regime frequencies, by the outcomes of earlier ones. Pure.

The forecast of the chain, p, and the frequency of each regime, c, are mixed: (1 - w)·p + w·c. The w
with the least Brier score of past cases is Σ(p - c)·(p - o) / Σ|p - c|², each day with the same
weight. Three things keep it small: it is never below 0 (no forecast becomes more certain than the
chain) nor above a half; it needs six cases whose spans do not overlap; and of n such cases
n/(n + 12) of it is taken.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_DOWN, Decimal

from apps.insight.intelligence.rules.forecast_scores import brier_score

# cases that do not overlap, below which nothing is adjusted
LEAST_SEPARATE_CASES = 6
# the same, of which half of the best weight is taken
SHRINKING_CASES = 12
MAX_WEIGHT = 0.5
FINE = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class PredictionCase:
    """A due prediction: the chain's probabilities, the regime frequencies, the outcome."""

    due: date
    chances: tuple[float, ...]
    usual: tuple[float, ...]
    came: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonAdjustment:
    """The recalibration of a horizon: `weight` is w, 0 with too few cases.

    `apart` is the number of cases whose spans do not overlap; `before` and `after` are the mean
    Brier scores of the chain and of the mixture, on the cases that it was fitted to.
    """

    weight: Decimal
    cases: int
    days: int
    apart: int
    before: float
    after: float


def recalibrate_horizon(cases: Sequence[PredictionCase], horizon: int) -> HorizonAdjustment:
    """Return the adjustment of the predictions of a horizon."""
    by_day: dict[date, list[PredictionCase]] = {}
    for case in cases:
        by_day.setdefault(case.due, []).append(case)
    spans = count_separate_days(by_day, horizon)
    weight = Decimal(0)
    if spans >= LEAST_SEPARATE_CASES:
        weights = (
            min(max(_best_weight(by_day.values()), 0.0), MAX_WEIGHT)
            * spans
            / (spans + SHRINKING_CASES)
        )
        weight = Decimal(repr(weights)).quantize(FINE, ROUND_DOWN)
    return HorizonAdjustment(
        weight=weight,
        cases=len(cases),
        days=len(by_day),
        apart=spans,
        before=_mean_brier_score(by_day.values(), 0.0),
        after=_mean_brier_score(by_day.values(), float(weight)),
    )


def count_separate_days(days: Iterable[date], horizon: int) -> int:
    """Return how many of these days are at least a horizon apart."""
    count, last = 0, date.min
    for day in sorted(days):
        if not count or day - last >= timedelta(days=horizon):
            count, last = count + 1, day
    return count


def mix_chances(
    chances: Sequence[Decimal], usual: Sequence[Decimal], weight: Decimal
) -> tuple[Decimal, ...]:
    """Return recalibrated probabilities: a mix of the chain's and the frequency of each regime."""
    return tuple((1 - weight) * p + weight * c for p, c in zip(chances, usual, strict=True))


def _best_weight(days: Iterable[Sequence[PredictionCase]]) -> float:
    above = below = 0.0
    for cases in days:
        for case in cases:
            for at, (p, c) in enumerate(zip(case.chances, case.usual, strict=True)):
                # divided by the cases of the day: a day with many calls is still one outcome
                above += (p - c) * (p - (at == case.came)) / len(cases)
                below += (p - c) ** 2 / len(cases)
    return above / below if below else 0.0


def _mean_brier_score(days: Iterable[Sequence[PredictionCase]], weight: float) -> float:
    scores = [
        sum(_brier_score_of_case(case, weight) for case in cases) / len(cases) for cases in days
    ]
    return sum(scores) / len(scores) if scores else 0.0


def _brier_score_of_case(prediction_case: PredictionCase, weight: float) -> float:
    pairs = zip(prediction_case.chances, prediction_case.usual, strict=True)
    return brier_score([(1 - weight) * p + weight * c for p, c in pairs], prediction_case.came)
