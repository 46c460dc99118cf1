"""Pressure on supply: a composite, water under barges, ships through straits (3 §2.7)."""

from typing import Any

from apps.insight.intelligence import component_payloads
from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods import inflation_lead
from apps.insight.intelligence.methods.chokepoints import STRAITS, serialize_strait
from apps.insight.intelligence.rules import lead_lag, river_levels
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.rules.river_levels import GAUGES, RiverGauge
from apps.platform.common.days import month_number
from apps.reference.signals.composites import find_composite
from apps.reference.signals.quality import missing_input_error

SUPPLY_PRESSURE = find_composite("supply-pressure")
PRESSURE = "trade.gscpi"
SHOWN = (
    *(gauge.series for gauge in GAUGES),
    *(gauge.mark for gauge in GAUGES if gauge.mark),
    *STRAITS.values(),
    inflation_lead.CONSUMER_PRICES,
)


def compute_supply_chain(known: MethodInputs) -> MethodResult:
    """Return the pressure on supply; raises TooFewInputs without the New York Fed's index."""
    score = known.value(PRESSURE)
    if score is None:
        raise missing_input_error(known.input(PRESSURE))
    composed = known.compose(SUPPLY_PRESSURE)
    place = next(
        (
            contribution.score
            for contribution in composed.contributions
            if contribution.series == PRESSURE
        ),
        None,
    )
    goods = inflation_lead.measure_inflation_lead(
        known, lead_lag.last_value_by_period(known.history(PRESSURE), month_number)
    )
    body: dict[str, Any] = {
        "pressure_index": composed.score,
        "regime": composed.band,
        "gscpi_z_score": score,
        "gscpi_signal": signal_of_place(place),
        "water_levels": {gauge.name: _serialize_river_level(known, gauge) for gauge in GAUGES},
        "chokepoints": [serialize_strait(known, name, series) for name, series in STRAITS.items()],
        "goods_inflation_lead_signal": goods["signal"],
        "goods_inflation_lead": goods,
        "contributions": component_payloads.serialize_components(composed),
    }
    return MethodResult(body=body, quality=composed.quality)


def _serialize_river_level(method_inputs: MethodInputs, gauge: RiverGauge) -> dict[str, Any]:
    """Return a gauge against its low-water mark; see WaterOut."""
    point, value = method_inputs.point(gauge.series), method_inputs.value(gauge.series)
    level = None if value is None else round_to_step(value * gauge.scale)
    # without a series of its own, a gauge's zero is its mark
    mark = method_inputs.value(gauge.mark) if gauge.mark else round_to_step(0)
    status, risk = river_levels.status_of_level(gauge, level, mark)
    return {
        "title": gauge.title,
        "level_cm": level,
        "low_water_mark_cm": mark,
        "status": status,
        "bottleneck_risk": risk,
        "source": point.source if point else "",
        "as_of": point.at if point else None,
    }
