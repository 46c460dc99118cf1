"""Follow a caller's shock through the causal graph."""

from decimal import Decimal
from typing import Any

import numpy as np

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods import layer_composites, layer_graph
from apps.insight.intelligence.methods.causal_graph import judge_with_theory
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS
from apps.insight.intelligence.rules.impact_labels import word_of_impact
from apps.insight.intelligence.rules.layers import CODES, NAMES, state_of_layer

FULL_SCORE = Decimal(100)


def compute_butterfly(known: MethodInputs) -> MethodResult:
    """Return what a shock of `node` and `magnitude` (points of its score) does to each layer.

    `impactScore` is the mean of what arrives at the layers; of each, at most 100.
    """
    layers = layer_composites.measure_layers(known)
    quality = layer_composites.judge_layers(known, layers)
    causal_graph = layer_graph.build_causal_graph(known)
    node, magnitude = known.asked["node"], known.asked["magnitude"]
    start = np.zeros(len(CODES))
    start[CODES.index(node)] = float(magnitude)
    waves = layer_graph.propagate_shock(causal_graph.matrix, start)
    arrives = {
        # a score has no room beyond 100, whatever the sum of the waves
        code: min(round_to_step(value, FOUR_DECIMALS), FULL_SCORE)
        for code, value in layer_graph.values_by_layer_code(np.sum(waves, axis=0)).items()
    }
    shares = layer_composites.split_mean(arrives)
    scores = layer_composites.scores_by_layer(layers)
    score = sum(shares.values(), Decimal(0))
    body: dict[str, Any] = {
        "impact_score": score,
        "regime": word_of_impact(score),
        "shock": {"node": node, "name": NAMES[node], "magnitude": magnitude},
        "phase": causal_graph.phase,
        "effects": [
            _serialize_layer_effect(code, arrives[code], shares[code], scores[code])
            for code in CODES
        ],
        "steps": [
            {"step": at, "arrives": round_to_step(float(wave.sum()), FOUR_DECIMALS)}
            for at, wave in enumerate(waves)
        ],
        "dominant_path": layer_graph.codes_of_nodes(
            layer_graph.find_strongest_path(causal_graph.matrix, CODES.index(node))
        ),
        "components": layer_composites.serialize_layer_inputs(layers),
    }
    return MethodResult(body=body, quality=judge_with_theory(quality, causal_graph))


def _serialize_layer_effect(
    code: str, arrives: Decimal, share: Decimal, score: Decimal | None
) -> dict[str, Any]:
    """Return the effect on a layer, with its score before and after."""
    after = None if score is None else min(score + arrives, FULL_SCORE)
    return {
        "layer": code,
        "name": NAMES[code],
        "effect": arrives,
        "contribution": share,
        "score": score,
        "score_after": after,
        "status_after": state_of_layer(after),
    }
