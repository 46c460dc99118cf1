"""Propagate a running shock through the layers: which it reaches, and what is not priced in."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import round_to_step
from apps.insight.intelligence.methods import trigger_measures
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS
from apps.insight.intelligence.rules.cascade_catalogue import (
    Cascade,
    CascadeStep,
    HistoricalAnalog,
    is_priced_in,
)
from apps.insight.intelligence.rules.layers import NAMES, SHOCK, UNKNOWN, state_of_effect
from apps.insight.intelligence.rules.trigger_types import MeasuredTrigger, Trigger

ScoreByLayer = Mapping[str, Decimal | None]


def serialize_cascade(
    row: Cascade, share: Decimal, seen: Sequence[MeasuredTrigger], scores: ScoreByLayer
) -> dict[str, Any]:
    """Return a cascade that runs; see CascadeOut. `share` is its confidence, 0 to 1."""
    entry = scores[row.entry]
    steps = [_serialize_step(step, entry, scores[step.layer]) for step in row.steps]
    leading = strongest_trigger(row, seen)
    first = {
        "layer": row.entry,
        "name": NAMES[row.entry],
        "status": UNKNOWN if entry is None else SHOCK,
        "priced_in": None if entry is None else True,
        "typical_lag": "0 weeks",
        "lead_signal": leading.series,
        "effect": leading.says,
        "reference": leading.reference,
    }
    way = ", ".join(f"{step['layer']} after {step['typical_lag']}" for step in steps)
    return {
        "type": row.type,
        "label": row.label,
        "confidence": round_to_step(share, FOUR_DECIMALS),
        "entry_layer": row.entry,
        "signals": [
            trigger_measures.serialize_trigger(measured_trigger) for measured_trigger in seen
        ],
        "propagation": [first, *steps],
        "unpriced_effects": describe_unpriced_effects(steps),
        "historical_analog": serialize_analog(row.analog),
        "timeline_narrative": f"{row.label} enters at {row.entry} ({NAMES[row.entry]}) "
        f"and typically reaches {way}.",
    }


def strongest_trigger(row: Cascade, seen: Sequence[MeasuredTrigger]) -> Trigger:
    """Return the firing signal with the greatest weight."""
    fired = [trigger.trigger for trigger in seen if trigger.fires]
    # a heavier signal that does not fire would name an event that did not happen
    return max(fired or row.triggers, key=lambda trigger: trigger.weight)


def _serialize_step(
    cascade_step: CascadeStep, entry: Decimal | None, layer: Decimal | None
) -> dict[str, Any]:
    score = cascade_step.shown(layer)
    return {
        "layer": cascade_step.layer,
        "name": NAMES[cascade_step.layer],
        "status": state_of_effect(score),
        "priced_in": is_priced_in(entry, score),
        "typical_lag": f"{cascade_step.weeks[0]}-{cascade_step.weeks[1]} weeks",
        "lead_signal": cascade_step.lead,
        "effect": cascade_step.effect,
        "reference": cascade_step.reference,
    }


def describe_unpriced_effects(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the effects that their layer's markets do not show yet, a sentence each."""
    return [
        f"{step['layer']} {step['name']}: {step['effect']} Typically after {step['typical_lag']}."
        for step in steps
        # None is not known, and no statement about prices
        if step["priced_in"] is False
    ]


def serialize_analog(row: HistoricalAnalog) -> dict[str, Any]:
    """Return a historical analogue; see AnalogOut."""
    return {
        "name": row.name,
        "began": row.began,
        "ended": row.ended,
        "days": (row.ended - row.began).days,
        "note": row.note,
        "reference": row.reference,
    }
