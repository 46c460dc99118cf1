"""Stress of financial markets: a composite of the categories of the OFR index (3 §2.7)."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.recomputed_score_history import current_score_history
from apps.insight.intelligence.rules import lead_lag
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.reference.signals.composites import find_composite
from apps.reference.signals.composition import ComposedScore

MACRO_STRESS = find_composite("macro-stress")
DOLLAR = "us.dollar.broad"
# raw figures shown with the index, and the series on which its lead is measured
SHOWN = ("us.credit.spread", "us.vix", DOLLAR)


@dataclass(frozen=True, slots=True)
class StressComponent:
    """A component of the specification: the series of its raw figure, empty where none may be
    redistributed; the index category that replaces it; and the reason.
    """

    raw: str
    stands_in: str
    lacking: str


COMPONENTS: dict[str, StressComponent] = {
    "ig_spread": StressComponent(
        "us.credit.spread",
        "ofr.fsi.credit",
        "The Federal Reserve's corporate bond spread is missing or too old.",
    ),
    "hy_spread": StressComponent(
        "",
        "ofr.fsi.credit",
        "No high-yield bond spread may be redistributed; the signal is that of igSpread, which "
        "covers all corporate bonds.",
    ),
    "vix": StressComponent(
        "us.vix",
        "ofr.fsi.volatility",
        "Cboe's licence allows only operators with their own rights to show the level.",
    ),
}
STANDS_IN = (
    "{lacking} {series} is used instead: the percentile of its newest value among all since 2000."
)


def compute_macro_stress(known: MethodInputs) -> MethodResult:
    """Return the stress of markets; raises TooFewInputs without credit and volatility."""
    composed = known.compose(MACRO_STRESS)
    inputs = component_payloads.serialize_components(composed)
    stress = lead_lag.last_value_by_period(
        current_score_history(known, MACRO_STRESS), lead_lag.week_number
    )
    dollar = lead_lag.last_value_by_period(known.history(DOLLAR), lead_lag.week_number)
    moves = lead_lag.change_by_period(stress)
    best_lag = lead_lag.find_best_lag(moves, lead_lag.change_by_period(dollar), lead_lag.WEEK_LAGS)
    dollar_lead = {
        "fx_implication": lead_lag.word_of_lead(best_lag, moves, lead_lag.DOLLAR),
        "look_ahead_weeks": best_lag.lag if best_lag and best_lag.significant else None,
        "correlation": round_to_step(best_lag.correlation, component_payloads.FOUR_DECIMALS)
        if best_lag
        else None,
        "pairs": best_lag.pairs if best_lag else 0,
    }
    body: dict[str, Any] = {
        "stress_index": composed.score,
        "regime": composed.band,
        "components": {
            name: _serialize_stress_component(known, composed, shown)
            for name, shown in COMPONENTS.items()
        },
        "contributions": inputs,
        "lead_signals": dollar_lead,
    }
    return MethodResult(body=body, quality=composed.quality)


def _serialize_stress_component(
    method_inputs: MethodInputs, composed_score: ComposedScore, stress_component: StressComponent
) -> dict[str, Any]:
    """Return a component of the specification: its raw figure, or why there is none, and the signal
    of its category.
    """
    place = next(
        (
            contribution.score
            for contribution in composed_score.contributions
            if contribution.series == stress_component.stands_in
        ),
        None,
    )
    value: Decimal | None = (
        method_inputs.value(stress_component.raw) if stress_component.raw else None
    )
    why = STANDS_IN.format(lacking=stress_component.lacking, series=stress_component.stands_in)
    return {
        "value": value,
        "signal": signal_of_place(place),
        "proxy": stress_component.stands_in,
        "note": why if value is None else "",
    }
