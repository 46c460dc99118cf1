"""Debt and deficits of four governments, and whether strain spreads (3 §2.7)."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.rules.sovereigns import (
    SOVEREIGN_DEBT,
    SOVEREIGNS,
    SovereignDebtor,
    contagion_risk_word,
    settlement_impact_word,
)
from apps.insight.intelligence.weighted_scores import newest_place_of_series
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.composites import find_composite
from apps.reference.signals.composition import ComposedScore

CREDIT_STRESS = find_composite("credit-stress")
SPREAD, TEN_YEARS = "euro.btp_bund", "us.dgs10"
SHOWN = (SPREAD, TEN_YEARS)
FIVE_YEARS = timedelta(days=5 * 365)


def compute_sovereign_debt(known: MethodInputs) -> MethodResult:
    """Return the strain of debt; raises TooFewInputs without the debt of the two largest."""
    composed = known.compose(SOVEREIGN_DEBT)
    # contagion that was observed is not over because data stopped
    then = known.ageless
    credit = known.composed_or_none(CREDIT_STRESS) or then.composed_or_none(CREDIT_STRESS)
    risk = contagion_risk_word(then.value(SPREAD), credit.band if credit else None)
    body: dict[str, Any] = {
        "debt_stress_index": composed.score,
        "systemic_signals": {
            "global_debt_regime": composed.band,
            "contagion_risk": risk,
            "settlement_impact": settlement_impact_word(composed.band, risk),
        },
        "sovereigns": {
            sovereign.name: _serialize_sovereign(known, composed, sovereign)
            for sovereign in SOVEREIGNS
        },
        "markets": [_serialize_market_yield(known, name) for name in SHOWN],
        "contributions": component_payloads.serialize_components(composed),
    }
    old = [name for name in (SPREAD,) if name in known.points and known.point(name) is None]
    return MethodResult(
        body=body,
        quality=carried_forward_labels.label_carried_forward_inputs(
            composed.quality, old, share=Decimal(0)
        ),
    )


def _serialize_sovereign(
    method_inputs: MethodInputs, composed_score: ComposedScore, sovereign_debtor: SovereignDebtor
) -> dict[str, Any]:
    """Return one debtor; see SovereignOut."""
    point, balance = (
        method_inputs.point(sovereign_debtor.debt),
        method_inputs.value(sovereign_debtor.balance),
    )
    places = {part.series: part.score for part in composed_score.contributions}
    now, before = (
        method_inputs.value(sovereign_debtor.debt),
        method_inputs.before(sovereign_debtor.debt, FIVE_YEARS),
    )
    debt_change_over_five_years = (
        None if now is None or before is None else round_to_step(now - before)
    )
    return {
        "title": sovereign_debtor.title,
        "debt_to_gdp_pct": point.value if point else None,
        "debt_signal": signal_of_place(places.get(sovereign_debtor.debt)),
        "debt_change_5y": debt_change_over_five_years,
        "balance_to_gdp_pct": balance,
        "balance_signal": signal_of_place(places.get(sovereign_debtor.balance)),
        "year": point.day.year if point else None,
        "source": point.source if point else "",
    }


def _serialize_market_yield(method_inputs: MethodInputs, series: str) -> dict[str, Any]:
    point = method_inputs.point(series)
    if point is None:
        return component_payloads.serialize_missing_component(series)
    return component_payloads.serialize_component(
        point, score=newest_place_of_series(method_inputs, series)
    )
