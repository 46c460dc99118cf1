"""The causal graph of the layers: theory blended with data, and propagation of shocks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.insight.intelligence.method_inputs import MethodInputs
from apps.insight.intelligence.methods.layer_regression import EdgeEvidence, estimate_edges
from apps.insight.intelligence.methods.monthly_values import (
    Floats,
    last_value_by_month,
    place_by_month,
)
from apps.insight.intelligence.rules.layer_links import (
    LINKS,
    LayerLink,
    phase_of_graph,
    share_of_figures,
)
from apps.insight.intelligence.rules.layers import CODES, LAYERS
from apps.reference.signals.composites import Composite

# steps that a shock is followed: no path through seven layers has more
MAX_STEPS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalGraph:
    """The graph at a moment: its links, the evidence from data, and the blended weights."""

    links: tuple[LayerLink, ...]
    edges: tuple[EdgeEvidence, ...]
    weights: tuple[float, ...]

    @property
    def share(self) -> float:
        """The mean part of the figures in the weights, 0 to 1."""
        return sum(share_of_figures(edge.months) for edge in self.edges) / len(self.edges)

    @property
    def phase(self) -> str:
        """PRIOR, BLENDING or EMPIRICAL."""
        return phase_of_graph(self.share)

    @property
    def matrix(self) -> Floats:
        """Weights from row to column, in the order of the layers."""
        adjacency = np.zeros((len(CODES), len(CODES)))
        for link, weight in zip(self.links, self.weights, strict=True):
            adjacency[CODES.index(link.source), CODES.index(link.target)] = weight
        return adjacency


def build_causal_graph(known: MethodInputs) -> CausalGraph:
    """Return the causal graph from the known figures."""
    nodes = {layer.code: layer_score_by_month(known, layer.row) for layer in LAYERS}
    edges = estimate_edges(LINKS, nodes)
    weights = [blend_edge_weight(link, edge) for link, edge in zip(LINKS, edges, strict=True)]
    return CausalGraph(links=LINKS, edges=tuple(edges), weights=tuple(weights))


def blend_edge_weight(link: LayerLink, edge: EdgeEvidence) -> float:
    """Return the weight of an edge: theory blended with data by the months that these cover."""
    share = share_of_figures(edge.months)
    # an edge that data do not confirm, or find with the opposite sign, weighs nothing in their part
    weight = max(edge.strength, 0.0) if edge.found else 0.0
    return (1 - share) * float(link.weight) + share * weight


def layer_score_by_month(known: MethodInputs, row: Composite) -> dict[int, float]:
    """Return a layer by months: the weighted mean of its inputs' places among all their months.

    A month in which inputs of less than the composite's least coverage have a value has none.
    """
    places: dict[int, list[tuple[float, float]]] = {}
    for part in row.parts:
        # known.past and not history(): a series that is too old to count now still has its past
        past = [entry for entry in known.past.get(part.series, ()) if entry[0] >= row.start]
        placed = place_by_month(last_value_by_month(past), part.direction)
        for month, place in placed.items():
            places.setdefault(month, []).append((float(part.weight), place))
    return {
        month: sum(weight * place for weight, place in weighted_places)
        / sum(weight for weight, _ in weighted_places)
        for month, weighted_places in sorted(places.items())
        if sum(weight for weight, _ in weighted_places) >= float(row.coverage)
    }


def propagate_shock(matrix: Floats, start: Floats, steps: int = MAX_STEPS) -> list[Floats]:
    """Return what arrives at each node with each step, the shock itself first."""
    waves = [start]
    for _ in range(steps):
        waves.append(waves[-1] @ matrix)
    return waves


def measure_influence(matrix: Floats) -> Floats:
    """Return how much a shock of one at each node adds to all others within the steps."""
    waves = propagate_shock(matrix, np.eye(len(matrix)))
    return np.asarray(sum(wave.sum(axis=1) for wave in waves[1:]), dtype=np.float64)


def find_strongest_path(matrix: Floats, start: int) -> list[int]:
    """Return, of all simple paths of two edges or more from a node, the one with the largest
    product of weights; one edge, where no path goes on from there.
    """
    best: tuple[bool, float, list[int]] = (False, 0.0, [start])
    waiting: list[tuple[float, list[int]]] = [(1.0, [start])]
    while waiting:
        product, path = waiting.pop()
        # tuples compare from the left: any path of two edges beats a single edge, whatever their
        # weights
        if len(path) > 1 and (len(path) > 2, product) > best[:2]:
            best = (len(path) > 2, product, path)
        for target in range(len(matrix)):
            weight = float(matrix[path[-1], target])
            if weight > 0 and target not in path:
                waiting.append((product * weight, [*path, target]))
    return best[2]


def codes_of_nodes(path: Sequence[int]) -> list[str]:
    """Return the codes of nodes."""
    return [CODES[at] for at in path]


def values_by_layer_code(values: Floats) -> Mapping[str, float]:
    """Return values by the codes of their nodes."""
    return dict(zip(CODES, values.tolist(), strict=True))
