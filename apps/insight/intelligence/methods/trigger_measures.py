"""Measure the signals of a shock."""

from collections.abc import Iterable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, round_to_step
from apps.insight.intelligence.rules.cascade_catalogue import QUARTER
from apps.insight.intelligence.rules.trigger_types import MeasuredTrigger, Trigger
from apps.reference.signals.composition import LONG_ENOUGH, rank_in_history

FOUR_DECIMALS = Decimal("0.0001")


def measure_triggers(known: MethodInputs, triggers: Iterable[Trigger]) -> list[MeasuredTrigger]:
    """Return the signals that can be measured, each with what was measured."""
    measured = ((trigger, measure_trigger(known, trigger)) for trigger in triggers)
    return [
        MeasuredTrigger(trigger, round_to_step(value, FOUR_DECIMALS))
        for trigger, value in measured
        if value is not None
    ]


def measure_trigger(known: MethodInputs, trigger: Trigger) -> Decimal | None:
    """Return what a signal measures, in the unit of its bound; None where it is not known."""
    if trigger.measure == "place":
        return place_in_own_history(known, trigger.series)
    if trigger.measure == "rise":
        return known.change_pct(trigger.series, timedelta(days=trigger.days))
    if trigger.measure == "net":
        return _net_rise_pct(known, trigger.series, trigger.days)
    value = known.value(trigger.series)
    if trigger.measure == "points":
        base = known.before(trigger.series, timedelta(days=trigger.days))
        return None if value is None or base is None else value - base
    return value


def _net_rise_pct(method_inputs: MethodInputs, series: str, days: int) -> Decimal | None:
    """Return by how many per cent a series is above its high before the last quarter.

    Over `days`: Hamilton's net price increase (1996).
    """
    past, value = method_inputs.history(series), method_inputs.value(series)
    if value is None or not past:
        return None
    # the last quarter is left out: a rise within it must not be compared with itself
    since, until = (past[-1][0] - timedelta(days=back) for back in (days, QUARTER))
    before = [past_value for day, past_value in past if since <= day <= until]
    return 100 * (value / max(before) - 1) if before and max(before) > 0 else None


def place_in_own_history(known: MethodInputs, series: str, direction: int = 1) -> Decimal | None:
    """Return the place of a series in its own history, 0 to 100; None under ten years of it."""
    past, value = known.history(series), known.value(series)
    if value is None or not past or past[-1][0] - past[0][0] < LONG_ENOUGH:
        return None
    return rank_in_history(value, sorted(past_value for _, past_value in past), direction)


def serialize_trigger(measured_trigger: MeasuredTrigger) -> dict[str, Any]:
    """Return a signal in the words of the API; see TriggerOut."""
    row = measured_trigger.trigger
    return {
        "series": row.series,
        "measure": row.measure,
        "value": measured_trigger.measured,
        "bound": row.bound,
        "fires": measured_trigger.fires,
        "description": row.says,
        "reference": row.reference,
    }
