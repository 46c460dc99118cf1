"""Return the current regime and the forecast for 30, 60 and 90 days (document 3 section 2.6)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods.stale_inputs import mark_held_series
from apps.insight.intelligence.regimes import (
    active_recalibration,
    leading_signals,
    similar_months,
    transition_model,
)
from apps.insight.intelligence.regimes.active_recalibration import RecalibrationEdition
from apps.insight.intelligence.regimes.past_months import (
    RegimeMonth,
    build_past_months,
    max_ages_of_points,
)
from apps.insight.intelligence.regimes.predictions import REGIME_COMPOSITE
from apps.insight.intelligence.regimes.similar_months import SimilarMonth
from apps.insight.intelligence.rules.recalibration import mix_chances
from apps.insight.intelligence.rules.regimes import (
    HORIZONS,
    REGIMES,
    TREND_HORIZON,
    VERSION,
    regime_index,
    trend_of_chances,
)
from apps.platform.common.days import month_number
from apps.reference.signals.composition import ComposedScore, split_score
from apps.reference.signals.quality import TooFewInputs, describe_short_history

READ_SERIES = tuple(
    dict.fromkeys((*(part.series for part in REGIME_COMPOSITE.parts), *leading_signals.READ_SERIES))
)
FOUR_DECIMALS = Decimal("0.0001")
# fewest past months for a forecast
LEAST_PAST_MONTHS = 60


def compute_transition_risk(known: MethodInputs) -> MethodResult:
    """Return the outlook; raises TooFewInputs if too little is known of now or of the past."""
    composed = known.compose(REGIME_COMPOSITE)
    past = build_past_months(
        REGIME_COMPOSITE,
        known.past,
        until=known.as_of.date(),
        ages=max_ages_of_points(known.points),
    )
    if len(past) < LEAST_PAST_MONTHS:
        why = describe_short_history(len(past), of=LEAST_PAST_MONTHS)
        raise TooFewInputs(f"Past regimes are not known: {why}.")
    # the forecast uses all inputs as last known, even if the current score is calmer
    then = known.ageless
    now = _build_present_month(then, then.compose(REGIME_COMPOSITE))
    usual = _round_chances(transition_model.climatology_chances(past))
    own = {
        days: _round_chances(transition_model.forecast_regime_chances(past, now, days))
        for days in HORIZONS
    }
    edition = known.beside.get("recalibration")
    chances_by_days = {
        days: _apply_recalibration(own[days], usual, edition, days) for days in HORIZONS
    }
    days = sorted(
        contribution.point.day for contribution in then.compose(REGIME_COMPOSITE).contributions
    )
    alike = similar_months.find_similar_months(
        past, now, figures_of=month_number(days[(len(days) - 1) // 2])
    )
    body: dict[str, Any] = {
        "current_score": composed.score,
        "current_regime": composed.band,
        "transition_signal": trend_of_chances(
            [float(chance) for chance in chances_by_days[TREND_HORIZON]], regime_index(now.score)
        ),
        "horizons": {
            f"h{days}": _serialize_chances(chances) for days, chances in chances_by_days.items()
        },
        "scenario_memory": {
            "similar_scenarios": [_serialize_similar_month(month, now) for month in alike],
            "pattern_note": similar_months.describe_similar_months(alike),
        },
        "components": component_payloads.serialize_components(composed),
        "leads": [
            _serialize_leading_signal(leading_signal, now)
            for leading_signal in leading_signals.LEADING_SIGNALS
        ],
        "months_learnt": len(past),
        "recalibration": active_recalibration.serialize_recalibration(edition),
    }
    apart = {
        "version": VERSION,
        "predictions": [
            _build_prediction(days, chances_by_days[days], own[days], usual, composed)
            for days in HORIZONS
        ],
    }
    quality = mark_held_series(known, composed.quality, READ_SERIES, of=len(READ_SERIES))
    return MethodResult(body=body, quality=quality, apart=apart)


def _build_present_month(method_inputs: MethodInputs, composed_score: ComposedScore) -> RegimeMonth:
    day = method_inputs.as_of.date()
    return RegimeMonth(
        day=day,
        number=month_number(day),
        score=float(composed_score.score),
        places={
            contribution.series: float(contribution.score)
            for contribution in composed_score.contributions
        },
        leads=leading_signals.newest_signal_values(
            {name: method_inputs.history(name) for name in leading_signals.READ_SERIES}
        ),
    )


def _round_chances(chances: Sequence[float]) -> list[Decimal]:
    """Return chances in steps of 0.0001 that sum to 1."""
    rounded = [round_to_step(chance, Decimal("1E-12")) for chance in chances]
    return split_score(rounded, held=sum(rounded, Decimal(0)))


def _apply_recalibration(
    own: Sequence[Decimal],
    usual: Sequence[Decimal],
    edition: RecalibrationEdition | None,
    days: int,
) -> Sequence[Decimal]:
    """Return the chances of a horizon, adjusted by the recalibration in force."""
    weight = active_recalibration.weight_of_recalibration(edition, days)
    return split_score(mix_chances(own, usual, weight), held=Decimal(1)) if weight else own


def _serialize_chances(chances: Sequence[Decimal]) -> dict[str, Any]:
    most = max(chances)
    return {
        "most_likely": REGIMES[list(chances).index(most)],
        "confidence": most,
        "probabilities": dict(zip(REGIMES, chances, strict=True)),
    }


def _serialize_similar_month(similar_month: SimilarMonth, now: RegimeMonth) -> dict[str, Any]:
    return {
        "date": similar_month.month.day.isoformat(),
        "similarity": round_to_step(similar_month.similarity, FOUR_DECIMALS),
        "regime": REGIMES[regime_index(similar_month.month.score)],
        "days_ago": (now.day - similar_month.month.day).days,
        "regime_after": REGIMES[regime_index(similar_month.after.score)]
        if similar_month.after
        else None,
    }


def _serialize_leading_signal(
    lead: leading_signals.LeadingSignal, now: RegimeMonth
) -> dict[str, Any]:
    value = now.leads.get(lead.name)
    return {
        "name": lead.name,
        "title": lead.title,
        "value": None if value is None else round_to_step(value, FOUR_DECIMALS),
        "weights": {
            f"h{days}": round_to_step(lead.weight(days), FOUR_DECIMALS) for days in HORIZONS
        },
    }


def _build_prediction(
    days: int,
    chances: Sequence[Decimal],
    own: Sequence[Decimal],
    usual: Sequence[Decimal],
    composed_score: ComposedScore,
) -> dict[str, Any]:
    """Return a prediction as it is kept: horizon, regime, payload (see RegimePrediction)."""
    serialized = _serialize_chances(chances)
    return {
        "horizon": days,
        "regime": serialized["most_likely"],
        "payload": {
            "score": str(composed_score.score),
            "current": composed_score.band,
            "probability": str(serialized["confidence"]),
            "chances": {name: str(chance) for name, chance in serialized["probabilities"].items()},
            # before recalibration: later recalibrations must judge the chain itself, not what they
            # made of it
            "chain": {name: str(chance) for name, chance in zip(REGIMES, own, strict=True)},
            "climatology": {name: str(chance) for name, chance in zip(REGIMES, usual, strict=True)},
        },
    }
