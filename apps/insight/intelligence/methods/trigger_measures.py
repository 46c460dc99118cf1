"""Measures the signals by which a shock shows itself."""

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.insight.intelligence.rules.cascades import QUARTER
from apps.insight.intelligence.rules.triggers import MeasuredTrigger, Trigger
from apps.reference.signals.composition import LONG_ENOUGH, rank_in_history

FOUR_DECIMALS = Decimal("0.0001")


def measure_triggers(known: MethodInputs, triggers: Iterable[Trigger]) -> list[MeasuredTrigger]:
    """Return the signals that can be measured, each with what was measured."""
    found = ((trigger, measure_trigger(known, trigger)) for trigger in triggers)
    return [
        MeasuredTrigger(one, round_to_step(value, FOUR_DECIMALS))
        for one, value in found
        if value is not None
    ]


def measure_trigger(known: MethodInputs, one: Trigger) -> Decimal | None:
    """Return what a signal measures, in the unit of its bound; None where it is not known."""
    if one.measure == "place":
        return place_in_own_history(known, one.series)
    if one.measure == "rise":
        return known.change_pct(one.series, timedelta(days=one.days))
    if one.measure == "net":
        return _net_rise_pct(known, one.series, one.days)
    value = known.value(one.series)
    if one.measure == "points":
        base = known.before(one.series, timedelta(days=one.days))
        return None if value is None or base is None else value - base
    return value


def _net_rise_pct(method_inputs: MethodInputs, series: str, days: int) -> Decimal | None:
    """Return by how many per cent a series is above its highest of some days before the quarter."""
    past, value = method_inputs.history(series), method_inputs.value(series)
    if value is None or not past:
        return None
    since, until = (past[-1][0] - timedelta(days=back) for back in (days, QUARTER))
    before = [one for day, one in past if since <= day <= until]
    return 100 * (value / max(before) - 1) if before and max(before) > 0 else None


def place_in_own_history(known: MethodInputs, series: str, direction: int = 1) -> Decimal | None:
    """Return the place of a series in its own history, 0 to 100; None under ten years of it."""
    past, value = known.history(series), known.value(series)
    if value is None or not past or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return None
    return rank_in_history(value, sorted(one for _, one in past), direction)


def serialize_trigger(one: MeasuredTrigger) -> dict[str, Any]:
    """Return a signal in the words of the API; see TriggerOut."""
    row = one.trigger
    return {
        "series": row.series,
        "measure": row.measure,
        "value": one.measured,
        "bound": row.bound,
        "fires": one.fires,
        "description": row.says,
        "reference": row.reference,
    }
