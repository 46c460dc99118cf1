"""Which layer of the economy moves which (3 §2.6): the graph, from theory and data."""

from dataclasses import replace
from typing import Any

from apps.insight.intelligence.method_inputs import MethodInputs, MethodResult, round_to_step
from apps.insight.intelligence.methods import layer_composites, layer_graph
from apps.insight.intelligence.methods.layer_graph import CausalGraph
from apps.insight.intelligence.methods.trigger_measures import FOUR_DECIMALS
from apps.insight.intelligence.rules.layers import NAMES
from apps.reference.signals.quality import Quality

# reason by which an answer says that its edges partly rest on theory
THEORY_REASON = "prior:edges"


def compute_causal_graph(known: MethodInputs) -> MethodResult:
    """Return the topology and its evidence; raises TooFewInputs under six tenths of the layers."""
    layers = layer_composites.measure_layers(known)
    quality = layer_composites.judge_layers(known, layers)
    causal_graph = layer_graph.build_causal_graph(known)
    influence = layer_graph.measure_influence(causal_graph.matrix)
    first = int(influence.argmax())
    path = layer_graph.codes_of_nodes(layer_graph.find_strongest_path(causal_graph.matrix, first))
    most = layer_graph.codes_of_nodes([first])[0]
    evidence = _summarize_evidence(causal_graph)
    way = " to ".join(NAMES[code] for code in path)
    body: dict[str, Any] = {
        "topology": {
            "phase": causal_graph.phase,
            "dominant_causal_path": path,
            "most_influential": most,
            "description": f"{NAMES[most]} moves the other layers most; the strongest path goes "
            f"from {way}. The share of data in the weights is {evidence['empirical_share']}: of "
            f"{evidence['edges']} edges {evidence['tested']} could be tested and "
            f"{evidence['found']} were found.",
        },
        "evidence": evidence,
        "edition": known.beside.get("edition"),
        "components": layer_composites.serialize_layer_inputs(layers),
    }
    return MethodResult(body=body, quality=judge_with_theory(quality, causal_graph))


def judge_with_theory(quality: Quality, graph: CausalGraph) -> Quality:
    """Return the quality with the edges: ESTIMATED while a tenth or more of them is theory."""
    if graph.share > 0.9:
        return quality
    return replace(quality, label="ESTIMATED", reasons=(*quality.reasons, THEORY_REASON))


def _summarize_evidence(causal_graph: CausalGraph) -> dict[str, Any]:
    # p is 1 where too few months allow no regression
    tested = [edge for edge in causal_graph.edges if edge.p < 1]
    return {
        "edges": len(causal_graph.edges),
        "tested": len(tested),
        "found": sum(edge.found for edge in causal_graph.edges),
        "contradicted": sum(edge.found and edge.strength < 0 for edge in causal_graph.edges),
        "months": max(edge.months for edge in causal_graph.edges),
        "empirical_share": round_to_step(causal_graph.share, FOUR_DECIMALS),
    }
