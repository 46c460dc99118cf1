"""Pressure on supply: a composite, water under barges, ships through straits (3 §2.7)."""

from typing import Any

from apps.intelligence import telling
from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import inflation
from apps.intelligence.methods.chokepoints import STRAITS, strait_of
from apps.intelligence.rules import leads, waters
from apps.intelligence.rules.signals import signal_of
from apps.intelligence.rules.waters import GAUGES, Gauge
from apps.signals.composites import composite_of
from apps.signals.quality import Unavailable

ROW = composite_of("supply-pressure")
PRESSURE = "trade.gscpi"
SHOWN = (
    *(gauge.series for gauge in GAUGES),
    *(gauge.mark for gauge in GAUGES if gauge.mark),
    *STRAITS.values(),
    inflation.PRICES,
)


def compute(known: Known) -> Made:
    """Return the pressure on supply; raises Unavailable without the index of New York."""
    score = known.value(PRESSURE)
    if score is None:
        raise Unavailable(f"There is no {PRESSURE} in age: there is no number without it.")
    made = known.compose(ROW)
    place = next((one.score for one in made.contributions if one.series == PRESSURE), None)
    goods = inflation.lead_of(known, leads.periods(known.history(PRESSURE), leads.month_of))
    body: dict[str, Any] = {
        "pressure_index": made.score,
        "regime": made.band,
        "gscpi_z_score": score,
        "gscpi_signal": signal_of(place),
        "water_levels": {gauge.name: _level(known, gauge) for gauge in GAUGES},
        "chokepoints": [strait_of(known, name, series) for name, series in STRAITS.items()],
        "goods_inflation_lead_signal": goods["signal"],
        "goods_inflation_lead": goods,
        "contributions": telling.components(made),
    }
    return Made(body=body, quality=made.quality)


def _level(known: Known, gauge: Gauge) -> dict[str, Any]:
    """Return a gauge against its low-water mark; see WaterOut."""
    point, found = known.point(gauge.series), known.value(gauge.series)
    level = None if found is None else rounded(found * gauge.scale)
    # without a series of its own, a gauge's zero is its mark
    mark = known.value(gauge.mark) if gauge.mark else rounded(0)
    status, risk = waters.standing(gauge, level, mark)
    return {
        "title": gauge.title,
        "level_cm": level,
        "low_water_mark_cm": mark,
        "status": status,
        "bottleneck_risk": risk,
        "source": point.source if point else "",
        "as_of": point.at if point else None,
    }
