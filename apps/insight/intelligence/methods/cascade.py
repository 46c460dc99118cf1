"""Shocks that run through the layers of the economy (3 §2.7)."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult
from apps.insight.intelligence.methods import (
    cascade_propagation,
    layer_composites,
    stale_inputs,
    trigger_measures,
)
from apps.insight.intelligence.rules.cascade_catalogue import (
    CASCADES,
    confidence_of_cascade,
    is_cascade_running,
)
from apps.insight.intelligence.rules.layers import state_of_all_layers

SERIES = tuple(
    dict.fromkeys(
        name
        for row in CASCADES
        for name in (
            *(trigger.series for trigger in row.triggers),
            *(step.lead for step in row.steps),
        )
    )
)

SIGNALS = tuple(dict.fromkeys(trigger.series for row in CASCADES for trigger in row.triggers))


def compute_cascades(known: MethodInputs) -> MethodResult:
    """Return layers and running cascades; raises TooFewInputs below six tenths of the layers."""
    layers = layer_composites.measure_layers(known)
    quality = layer_composites.judge_layers(known, layers)
    quality = stale_inputs.mark_held_series(known, quality, SIGNALS, of=len(SIGNALS))
    # by the last known figures of all series: a shock is not over because data stopped
    active, warnings = _find_cascades(
        known.ageless,
        layer_composites.scores_by_layer(layer_composites.measure_last_known_layers(known, layers)),
    )
    mean = layer_composites.mean_layer_score(layers)
    status = state_of_all_layers(mean, cascades=len(active))
    names = ", ".join(cascade["label"] for cascade in active) or "none"
    body: dict[str, Any] = {
        "nervous_system": {
            "systemic_risk_score": mean,
            "overall_status": status,
            "active_cascade_count": len(active),
            "layers": layer_composites.serialize_layers(layers),
        },
        "active_cascades": active,
        "unpriced_risks": [
            f"{cascade['label']}: {effect}"
            for cascade in active
            for effect in cascade["unpriced_effects"]
        ],
        "systemic_narrative": f"The mean score of the layers is {mean} of 100 ({status}). Active "
        f"cascades: {names}.",
        "early_warning_signals": warnings,
        "components": layer_composites.serialize_layer_inputs(layers),
    }
    return MethodResult(body=body, quality=quality)


def _find_cascades(
    method_inputs: MethodInputs, scores: dict[str, Decimal | None]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the running cascades by confidence, and the firing signals of the others."""
    active, warnings = [], []
    for row in CASCADES:
        seen = trigger_measures.measure_triggers(method_inputs, row.triggers)
        share = confidence_of_cascade(row, seen)
        if share is not None and is_cascade_running(share):
            active.append(cascade_propagation.serialize_cascade(row, share, seen, scores))
        else:
            fired = [
                trigger_measures.serialize_trigger(trigger) for trigger in seen if trigger.fires
            ]
            warnings += [trigger_row | {"type": row.type} for trigger_row in fired]
    return sorted(active, key=lambda cascade: -cascade["confidence"]), warnings
