"""How fast the world's electricity leaves fossil sources (3 §2.7)."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import (
    HUNDREDTH,
    MethodInputs,
    MethodResult,
    round_or_none,
    round_to_step,
)
from apps.insight.intelligence.methods import trend_statistics
from apps.insight.intelligence.rules import energy_transition_pace
from apps.reference.signals.quality import missing_input_error

SHARE, FOSSIL = "energy.renewables", "energy.fossil"
CARBON = {"us": "energy.carbon.us", "eu": "energy.carbon.eu", "global_": "energy.carbon"}
# series -> its part in the coverage
WEIGHTS: dict[str, Decimal] = {
    SHARE: Decimal("0.4"),
    FOSSIL: Decimal("0.2"),
    **dict.fromkeys(CARBON.values(), Decimal("0.1")),
    "energy.renewables.us": Decimal("0.05"),
    "energy.renewables.eu": Decimal("0.05"),
}
# years over which a trend is measured
TREND_YEARS = 10


def compute_energy_transition(known: MethodInputs) -> MethodResult:
    """Return the state of the transition; raises TooFewInputs without the renewable share."""
    quality = known.judge(
        [known.input(name, weight, required=name == SHARE) for name, weight in WEIGHTS.items()]
    )
    point = known.point(SHARE)
    if point is None:
        raise missing_input_error(known.input(SHARE))
    rise = trend_statistics.yearly_slope(
        trend_statistics.values_by_year(known.history(SHARE)), TREND_YEARS
    )
    fossil = trend_statistics.yearly_slope(
        trend_statistics.values_by_year(known.history(FOSSIL)), TREND_YEARS
    )
    pace = energy_transition_pace.pace_towards_goal(point.value, rise, point.day.year)
    unit = component_payloads.serialize_missing_component(CARBON["global_"])["unit"]
    body: dict[str, Any] = {
        "renewable_share_pct": round_to_step(point.value, HUNDREDTH),
        "renewable_trend": energy_transition_pace.trend_of_renewables(rise),
        "renewable_trend_pp_per_year": round_or_none(rise),
        "fossil_demand_curve": energy_transition_pace.trend_of_fossils(fossil),
        "fossil_trend_pp_per_year": round_or_none(fossil),
        "pace_of_goal": pace,
        "signal": energy_transition_pace.signal_of_pace(pace),
        "grid_carbon_intensity": {name: known.value(series) for name, series in CARBON.items()}
        | {"unit": unit},
        "components": [_serialize_trend_component(known, name) for name in WEIGHTS],
    }
    return MethodResult(body=body, quality=quality)


def _serialize_trend_component(method_inputs: MethodInputs, name: str) -> dict[str, Any]:
    """Return an input; its signal is whether it moves as the transition needs."""
    point = method_inputs.point(name)
    if point is None:
        return component_payloads.serialize_missing_component(name)
    change = trend_statistics.yearly_slope(
        trend_statistics.values_by_year(method_inputs.history(name)), TREND_YEARS
    )
    good = -1 if name == FOSSIL or name in CARBON.values() else 1
    if change is None:
        return component_payloads.serialize_component(point)
    return component_payloads.serialize_component(
        point, signal="NORMAL" if change * good > 0 else "HIGH"
    )
