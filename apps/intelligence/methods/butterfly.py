"""A shock that a caller names, followed through the causal graph."""

from decimal import Decimal
from typing import Any

import numpy as np

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import graph, layering
from apps.intelligence.methods.causal_graph import with_theory
from apps.intelligence.methods.triggering import FINE
from apps.intelligence.rules.impacts import impact_of
from apps.intelligence.rules.layers import CODES, NAMES, state_of

MOST = Decimal(100)


def compute(known: Known) -> Made:
    """Return what a shock of `node` and `magnitude` (points of its score) does to each layer.

    `impactScore` is the mean of what arrives at the layers; of each, at most 100.
    """
    layers = layering.measured(known)
    quality = layering.quality(known, layers)
    made = graph.graph(known)
    node, magnitude = known.asked["node"], known.asked["magnitude"]
    start = np.zeros(len(CODES))
    start[CODES.index(node)] = float(magnitude)
    waves = graph.spread(made.matrix, start)
    arrives = {
        code: min(rounded(value, FINE), MOST)
        for code, value in graph.by_code(np.sum(waves, axis=0)).items()
    }
    shares = layering.split_of(arrives)
    scores = layering.scores(layers)
    score = sum(shares.values(), Decimal(0))
    body: dict[str, Any] = {
        "impact_score": score,
        "regime": impact_of(score),
        "shock": {"node": node, "name": NAMES[node], "magnitude": magnitude},
        "phase": made.phase,
        "effects": [_effect(code, arrives[code], shares[code], scores[code]) for code in CODES],
        "steps": [
            {"step": at, "arrives": rounded(float(wave.sum()), FINE)}
            for at, wave in enumerate(waves)
        ],
        "dominant_path": graph.named(graph.strongest_path(made.matrix, CODES.index(node))),
        "components": layering.components(layers),
    }
    return Made(body=body, quality=with_theory(quality, made))


def _effect(code: str, arrives: Decimal, share: Decimal, score: Decimal | None) -> dict[str, Any]:
    """Return what arrives at a layer, and where that would take it from where it stands."""
    after = None if score is None else min(score + arrives, MOST)
    return {
        "layer": code,
        "name": NAMES[code],
        "effect": arrives,
        "contribution": share,
        "score": score,
        "score_after": after,
        "status_after": state_of(after),
    }
