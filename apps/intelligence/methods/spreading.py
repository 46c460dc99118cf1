"""How a shock that runs goes on through the layers: what is reached, what is not in prices yet."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from apps.intelligence.known import rounded
from apps.intelligence.methods import triggering
from apps.intelligence.methods.triggering import FINE
from apps.intelligence.rules.cascades import Analog, Cascade, Step, priced_in
from apps.intelligence.rules.layers import NAMES, SHOCK, UNKNOWN, reached
from apps.intelligence.rules.triggers import Seen, Trigger

Scores = Mapping[str, Decimal | None]


def cascade(row: Cascade, share: Decimal, seen: Sequence[Seen], scores: Scores) -> dict[str, Any]:
    """Return a cascade that runs; see CascadeOut. `share` is its confidence, 0 to 1."""
    entry = scores[row.entry]
    steps = [_step(one, entry, scores[one.layer]) for one in row.steps]
    leading = strongest(row, seen)
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
    return {
        "type": row.type,
        "label": row.label,
        "confidence": rounded(share, FINE),
        "entry_layer": row.entry,
        "signals": [triggering.told(one) for one in seen],
        "propagation": [first, *steps],
        "unpriced_effects": unpriced(steps),
        "historical_analog": analog(row.analog),
        "timeline_narrative": _timeline(row, steps),
    }


def strongest(row: Cascade, seen: Sequence[Seen]) -> Trigger:
    """Return the signal that weighs most of those that fire: what is told did happen."""
    fired = [one.trigger for one in seen if one.fires]
    return max(fired or row.triggers, key=lambda one: one.weight)


def _step(one: Step, entry: Decimal | None, layer: Decimal | None) -> dict[str, Any]:
    score = one.shown(layer)
    return {
        "layer": one.layer,
        "name": NAMES[one.layer],
        "status": reached(score),
        "priced_in": priced_in(entry, score),
        "typical_lag": f"{one.weeks[0]}-{one.weeks[1]} weeks",
        "lead_signal": one.lead,
        "effect": one.effect,
        "reference": one.reference,
    }


def unpriced(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the effects that their layer's markets do not show yet, a sentence each."""
    return [
        f"{one['layer']} {one['name']}: {one['effect']} Typically after {one['typical_lag']}."
        for one in steps
        if one["priced_in"] is False
    ]


def analog(row: Analog) -> dict[str, Any]:
    """Return a time when it was so; see AnalogOut."""
    return {
        "name": row.name,
        "began": row.began,
        "ended": row.ended,
        "days": (row.ended - row.began).days,
        "note": row.note,
        "reference": row.reference,
    }


def _timeline(row: Cascade, steps: Sequence[Mapping[str, Any]]) -> str:
    way = ", ".join(f"{one['layer']} after {one['typical_lag']}" for one in steps)
    return f"{row.label} enters at {row.entry} ({NAMES[row.entry]}) and typically reaches {way}."
