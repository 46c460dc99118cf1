"""What follows a shock that a caller names: large moves to come, by the law of those before."""

import math
from datetime import date
from decimal import Decimal
from typing import Any

from apps.core.problems import DomainError
from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import omori
from apps.intelligence.methods.months import first_day, last_values, number
from apps.intelligence.methods.omori import Law
from apps.intelligence.methods.triggering import FINE, placed
from apps.intelligence.rules.webs import AFTERSHOCK, band
from apps.signals.composing import split
from apps.signals.quality import Unavailable

EARLIEST = 60  # months that a shock may lie back
MOST = 3.0  # times the mean size: a larger shock is told as one of this size
QUARTER, HORIZONS = 3, (1, 3, 6, 12)


def compute(known: Known) -> Made:
    """Return what is to come of a shock of `magnitude` per cent in `series` on `date`.

    `aftershockScore` is the chance, in hundredths, of another large move within a quarter. Raises
    DomainError (400) for a day to come or more than five years ago, Unavailable (503) where the
    history has too few shocks.
    """
    series, day = known.asked["series"], known.asked["date"]
    elapsed = elapsed_of(day, known.as_of.date())
    quality = known.judge([known.input(series, required=True)])
    law = omori.fit(last_values(known.history(series)))
    if law is None:
        raise Unavailable(f"The history of {series} has too few shocks for a law of them.")
    factor = min(float(known.asked["magnitude"]) / law.mean_size, MOST)
    expected = [
        max(factor * law.rate(elapsed + month), law.background)
        for month in range(1, max(HORIZONS) + 1)
    ]
    score = _chance(sum(expected[:QUARTER]))
    point = known.point(series)
    assert point is not None
    body: dict[str, Any] = {
        "aftershock_score": score,
        "regime": band(AFTERSHOCK, score),
        "series": series,
        "date": day,
        "magnitude": known.asked["magnitude"],
        "months_elapsed": elapsed,
        "extrapolated": elapsed + QUARTER > omori.REACH,
        "law": _law(law),
        "horizons": [_horizon(months, expected, law) for months in HORIZONS],
        "contributions": _shares(expected[:QUARTER], score),
        "past_shocks": [
            {"month": first_day(one.month), "size_pct": rounded(one.size, FINE)}
            for one in law.shocks
        ],
        "components": [telling.seen(point, score=placed(known, series))],
    }
    return Made(body=body, quality=quality)


def elapsed_of(day: date, today: date) -> int:
    """Return how many months ago a shock was; raises DomainError for one that cannot be asked."""
    elapsed = number(today) - number(day)
    if day > today or elapsed > EARLIEST:
        said = "This must be a day of the last five years, and none to come."
        raise DomainError("The shock is not valid.", errors=[{"field": "date", "message": said}])
    return elapsed


def _chance(expected: float) -> Decimal:
    """Return the chance of one or more, in hundredths, where so many are expected."""
    return rounded(100 * (1 - math.exp(-expected)), FINE)


def _law(law: Law) -> dict[str, Any]:
    return {
        "k": rounded(law.k, FINE),
        "c": rounded(law.c, FINE),
        "p": rounded(law.p, FINE),
        "shocks": len(law.shocks),
        "aftershocks": law.aftershocks,
        "mean_size_pct": rounded(law.mean_size, FINE),
        "threshold_pct": rounded(omori.AFTER * law.deviation, FINE),
        "background": rounded(law.background, FINE),
        "decay_stands": law.decays,
    }


def _horizon(months: int, expected: list[float], law: Law) -> dict[str, Any]:
    total = sum(expected[:months])
    return {
        "months": months,
        "expected": rounded(total, FINE),
        "chance": rounded(_chance(total) / 100, FINE),
        "base_chance": rounded(_chance(law.background * months) / 100, FINE),
    }


def _shares(expected: list[float], score: Decimal) -> list[dict[str, Any]]:
    """Return what each month adds to the score, by what is expected in it."""
    exact = [rounded(one, Decimal("1e-12")) for one in expected]
    held = sum(exact, Decimal(0)) or Decimal(1)
    shares = split([one / held * score for one in exact], held=Decimal(1))
    return [{"month": at, "contribution": share} for at, share in enumerate(shares, 1)]
