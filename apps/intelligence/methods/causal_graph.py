"""Which layer of the economy moves which (3 §2.6): the graph, by theory and by figures."""

from dataclasses import replace
from typing import Any

from apps.intelligence.known import Known, Made, rounded
from apps.intelligence.methods import graph, layering
from apps.intelligence.methods.graph import Graph
from apps.intelligence.methods.triggering import FINE
from apps.intelligence.rules.layers import NAMES
from apps.signals.quality import Quality

THEORY = "prior:edges"  # the reason by which an answer says that it rests on theory too


def compute(known: Known) -> Made:
    """Return the topology and its evidence; raises Unavailable under six tenths of the layers."""
    layers = layering.measured(known)
    quality = layering.quality(known, layers)
    made = graph.graph(known)
    influence = graph.influence(made.matrix)
    first = int(influence.argmax())
    path = graph.named(graph.strongest_path(made.matrix, first))
    most = graph.named([first])[0]
    body: dict[str, Any] = {
        "topology": {
            "phase": made.phase,
            "dominant_causal_path": path,
            "most_influential": most,
            "description": _description(made, most, path),
        },
        "evidence": _evidence(made),
        "edition": known.beside.get("edition"),
        "components": layering.components(layers),
    }
    return Made(body=body, quality=with_theory(quality, made))


def with_theory(quality: Quality, made: Graph) -> Quality:
    """Return how good it is with the edges: ESTIMATED while a tenth or more of them is theory."""
    if made.share > 0.9:
        return quality
    return replace(quality, label="ESTIMATED", reasons=(*quality.reasons, THEORY))


def _evidence(made: Graph) -> dict[str, Any]:
    tested = [edge for edge in made.edges if edge.p < 1]
    return {
        "edges": len(made.edges),
        "tested": len(tested),
        "found": sum(edge.found for edge in made.edges),
        "contradicted": sum(edge.found and edge.strength < 0 for edge in made.edges),
        "months": max(edge.months for edge in made.edges),
        "empirical_share": rounded(made.share, FINE),
    }


def _description(made: Graph, most: str, path: list[str]) -> str:
    told = _evidence(made)
    way = " to ".join(NAMES[one] for one in path)
    return (
        f"{NAMES[most]} moves the other layers most; the strongest way goes from {way}. Figures "
        f"make {told['empirical_share']} of the weights: of {told['edges']} edges {told['tested']} "
        f"could be tested and {told['found']} were found."
    )
