"""Estimate the large moves that follow a given shock, by the law fitted to past shocks."""

import math
from datetime import date
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods import omori_law
from apps.insight.intelligence.methods.monthly_values import (
    first_day_of_month,
    last_value_by_month,
    month_index,
)
from apps.insight.intelligence.methods.omori_law import OmoriLaw
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS, place_in_own_history
from apps.insight.intelligence.rules.bands import label_of_score
from apps.insight.intelligence.rules.currency_web import AFTERSHOCK_BANDS
from apps.platform.common.problems import DomainError
from apps.reference.signals.composition import split_score
from apps.reference.signals.quality import TooFewInputs

# months that a shock may lie back
MAX_MONTHS_BACK = 60
# times the mean size; larger shocks are capped at this size
MAX_SIZE_FACTOR = 3.0
# months
QUARTER, HORIZONS = 3, (1, 3, 6, 12)


def compute_aftershock(known: MethodInputs) -> MethodResult:
    """Return the aftershocks to expect of a shock of `magnitude` per cent in `series` on `date`.

    `aftershockScore` is the probability, in hundredths, of another large move within a quarter.
    Raises DomainError (400) for a future day or one more than five years ago, TooFewInputs (503) if
    the history has too few shocks.
    """
    series, day = known.asked["series"], known.asked["date"]
    elapsed = months_since_shock(day, known.as_of.date())
    quality = known.judge([known.input(series, required=True)])
    law = omori_law.fit_omori_law(last_value_by_month(known.history(series)))
    if law is None:
        raise TooFewInputs(f"The history of {series} has too few shocks to fit a law of decay.")
    factor = min(float(known.asked["magnitude"]) / law.mean_size, MAX_SIZE_FACTOR)
    expected = [
        # never less than in an average month: a small or old shock makes no month safer
        max(factor * law.rate(elapsed + month), law.background)
        for month in range(1, max(HORIZONS) + 1)
    ]
    score = _chance_of_any(sum(expected[:QUARTER]))
    point = known.point(series)
    assert point is not None
    exact = [round_to_step(amount, Decimal("1e-12")) for amount in expected[:QUARTER]]
    total = sum(exact, Decimal(0)) or Decimal(1)
    shares = split_score([amount / total * score for amount in exact], held=Decimal(1))
    body: dict[str, Any] = {
        "aftershock_score": score,
        "regime": label_of_score(score, AFTERSHOCK_BANDS),
        "series": series,
        "date": day,
        "magnitude": known.asked["magnitude"],
        "months_elapsed": elapsed,
        "extrapolated": elapsed + QUARTER > omori_law.REACH_MONTHS,
        "law": _serialize_law(law),
        "horizons": [_serialize_horizon(months, expected, law) for months in HORIZONS],
        "contributions": [
            {"month": at, "contribution": share} for at, share in enumerate(shares, 1)
        ],
        "past_shocks": [
            {
                "month": first_day_of_month(shock.month),
                "size_pct": round_to_step(shock.size, FOUR_DECIMALS),
            }
            for shock in law.shocks
        ],
        "components": [
            component_payloads.serialize_component(point, score=place_in_own_history(known, series))
        ],
    }
    return MethodResult(body=body, quality=quality)


def months_since_shock(day: date, today: date) -> int:
    """Return how many months ago a shock was; raises DomainError for an invalid day."""
    elapsed = month_index(today) - month_index(day)
    if day > today or elapsed > MAX_MONTHS_BACK:
        sentence = "Must be a day within the last five years and not in the future."
        raise DomainError(
            "The shock is not valid.", errors=[{"field": "date", "message": sentence}]
        )
    return elapsed


def _chance_of_any(expected: float) -> Decimal:
    """Return the chance of one or more, in hundredths, where so many are expected."""
    # counts are taken as Poisson, as in the fit
    return round_to_step(100 * (1 - math.exp(-expected)), FOUR_DECIMALS)


def _serialize_law(law: OmoriLaw) -> dict[str, Any]:
    return {
        "k": round_to_step(law.k, FOUR_DECIMALS),
        "c": round_to_step(law.c, FOUR_DECIMALS),
        "p": round_to_step(law.p, FOUR_DECIMALS),
        "shocks": len(law.shocks),
        "aftershocks": law.aftershocks,
        "mean_size_pct": round_to_step(law.mean_size, FOUR_DECIMALS),
        "threshold_pct": round_to_step(omori_law.AFTER * law.deviation, FOUR_DECIMALS),
        "background": round_to_step(law.background, FOUR_DECIMALS),
        "decay_stands": law.decays,
    }


def _serialize_horizon(months: int, expected: list[float], law: OmoriLaw) -> dict[str, Any]:
    total = sum(expected[:months])
    return {
        "months": months,
        "expected": round_to_step(total, FOUR_DECIMALS),
        "chance": round_to_step(_chance_of_any(total) / 100, FOUR_DECIMALS),
        "base_chance": round_to_step(_chance_of_any(law.background * months) / 100, FOUR_DECIMALS),
    }
