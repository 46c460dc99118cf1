"""Scores of the seven layers, shared by every product on shocks."""

from decimal import Decimal
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.rules.history_percentile_labels import signal_of_place
from apps.insight.intelligence.rules.layers import LAYERS, ROWS, Layer, state_of_layer
from apps.reference.signals import carried_forward_labels
from apps.reference.signals.carried_forward_inputs import choose_carried_forward_inputs
from apps.reference.signals.composites import Composite
from apps.reference.signals.composition import ComposedScore, split_score
from apps.reference.signals.quality import Quality, TooFewInputs

CompositeByLayer = dict[str, ComposedScore | None]


def measure_layers(known: MethodInputs) -> CompositeByLayer:
    """Return each layer's composite; None if too little of it is known.

    A layer that has become too old is held if it is more strained than the mean of the others.
    """
    composed_scores_by_code = {layer.code: known.composed_or_none(layer.row) for layer in LAYERS}
    then = known.ageless
    if then is known:
        return composed_scores_by_code
    old = {
        layer.code: composed
        for layer in LAYERS
        if not composed_scores_by_code[layer.code]
        and (composed := then.composed_or_none(layer.row))
    }
    alike = Decimal(1)
    held_names = choose_carried_forward_inputs(
        [(alike, composite.score) for composite in composed_scores_by_code.values() if composite],
        {code: (alike, composite.score) for code, composite in old.items()},
    )
    return composed_scores_by_code | {code: old[code] for code in held_names}


def measure_last_known_layers(known: MethodInputs, layers: CompositeByLayer) -> CompositeByLayer:
    """Return each layer as it was last known, however old; `layers` are those measured."""
    then = known.ageless
    return layers if then is known else measure_layers(then)


def scores_by_layer(layers: CompositeByLayer) -> dict[str, Decimal | None]:
    """Return each layer's score, 0 to 100; None where it is not known."""
    return {code: composed.score if composed else None for code, composed in layers.items()}


def judge_layers(known: MethodInputs, layers: CompositeByLayer) -> Quality:
    """Return the quality of an answer from the layers; raises TooFewInputs below six tenths.

    A layer that cannot be computed counts as missing, with all its series.
    """
    current = [
        layer for layer in LAYERS if layers[layer.code] and _is_layer_current(known, layer.row)
    ]
    if Decimal(len(current)) / len(LAYERS) < Decimal("0.6"):
        text = "; ".join(
            _explain_missing_layer(known, layer) for layer in LAYERS if layer not in current
        )
        raise TooFewInputs(f"Too few layers have a score. {text}")
    judged = known.judge(
        [known.input(part.series, part.weight) for row in ROWS for part in row.parts]
    )
    used = [
        contribution for layer in layers.values() if layer for contribution in layer.contributions
    ]
    old = [contribution for contribution in used if not known.point(contribution.series)]
    whole = sum((contribution.weight for contribution in used), Decimal(0))
    share = sum((contribution.weight for contribution in old), Decimal(0)) / whole
    return carried_forward_labels.label_carried_forward_inputs(
        judged, [contribution.series for contribution in old], share=share
    )


def _explain_missing_layer(method_inputs: MethodInputs, layer: Layer) -> str:
    """Return why a layer has no score from current figures."""
    try:
        method_inputs.compose(layer.row)
    except TooFewInputs as error:
        return f"{layer.name}: {error.detail}"
    return f"{layer.name}: its figures are too old."


def _is_layer_current(method_inputs: MethodInputs, row: Composite) -> bool:
    """Tell whether a layer's score uses current figures, none held."""
    lacking = [part for part in row.parts if not method_inputs.point(part.series)]
    held_weight = 1 - sum((part.weight for part in lacking), Decimal(0))
    return held_weight >= row.coverage and not any(part.required for part in lacking)


def serialize_layers(layers: CompositeByLayer) -> list[dict[str, Any]]:
    """Return the layers in the words of the API; see LayerOut. Contributions sum to
    `mean_layer_score`.
    """
    shares = split_mean(_known_layer_scores(layers))
    return [
        {
            "layer": layer.code,
            "name": layer.name,
            "status": state_of_layer(composed.score if (composed := layers[layer.code]) else None),
            "score": composed.score if composed else None,
            "contribution": shares.get(layer.code),
            "composite": layer.composite,
        }
        for layer in LAYERS
    ]


def split_mean(values: dict[str, Decimal]) -> dict[str, Decimal]:
    """Return what each value adds to the mean; the parts sum to it exactly."""
    return dict(
        zip(values, split_score([*values.values()], held=Decimal(len(values))), strict=True)
    )


def serialize_layer_inputs(layers: CompositeByLayer) -> list[dict[str, Any]]:
    """Return the layers as inputs; see NodeOut. One that is not known has null and UNKNOWN."""
    return [
        {
            "node": layer.code,
            "name": layer.name,
            "value": composed.score if (composed := layers[layer.code]) else None,
            "signal": signal_of_place(composed.score if composed else None),
            "source": "+".join(_publishers_of_layer(composed)) if composed else "",
        }
        for layer in LAYERS
    ]


def _publishers_of_layer(composed_score: ComposedScore) -> list[str]:
    names = [
        name
        for contribution in composed_score.contributions
        for name in contribution.point.source.split("+")
    ]
    return list(dict.fromkeys(names))


def mean_layer_score(layers: CompositeByLayer) -> Decimal:
    """Return the mean of the layers that are known, 0 to 100."""
    return sum(split_mean(_known_layer_scores(layers)).values(), Decimal(0))


def _known_layer_scores(layers: CompositeByLayer) -> dict[str, Decimal]:
    return {code: composed.score for code, composed in layers.items() if composed}
