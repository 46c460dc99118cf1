"""Compute the geometry of diagrams: the causal graph and reliability. Pure; templates draw them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from apps.insight.intelligence.labels import NONE
from apps.insight.intelligence.methods.layer_graph import CausalGraph
from apps.insight.intelligence.methods.layer_regression import EdgeEvidence
from apps.insight.intelligence.rules.layer_links import LayerLink
from apps.insight.intelligence.rules.layers import CODES, NAMES

GRAPH_WIDTH, GRAPH_HEIGHT = 720, 460
NODE_RADIUS = 24
# distance of an edge's curve from the straight line, so that opposite edges do not overlap
EDGE_BEND = 26

RELIABILITY_SIDE = 300
# room for the marks of the scale
RELIABILITY_MARGIN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A layer in the drawing; `first` is set for the one that moves the others most."""

    code: str
    name: str
    x: float
    y: float
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphArrow:
    """An edge: its SVG curve, the position of its weight label, and its evidence.

    `weight` is the signed weight used in propagation; `state` says whether data support the edge.
    """

    source: str
    target: str
    curve: str
    x: float
    y: float
    width: float
    weight: str
    theory: str
    figures: str
    months: int
    state: str
    leading: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDrawing:
    """A causal graph; `text` is the text alternative."""

    phase: str
    path: tuple[str, ...]
    nodes: tuple[GraphNode, ...]
    arrows: tuple[GraphArrow, ...]
    text: str
    width: int = GRAPH_WIDTH
    height: int = GRAPH_HEIGHT
    radius: int = NODE_RADIUS


def draw_causal_graph(graph: CausalGraph, *, path: Sequence[str], first: str) -> GraphDrawing:
    """Lay out a causal graph: layers on an ellipse, edges as arrows."""
    places = {code: _place_node(at) for at, code in enumerate(CODES)}
    steps = set(pairwise(path))
    arrows = tuple(
        _draw_arrow(link, edge, weight, places, (link.source, link.target) in steps)
        for link, edge, weight in zip(graph.links, graph.edges, graph.weights, strict=True)
    )
    nodes = tuple(
        GraphNode(code=code, name=NAMES[code], x=x, y=y, first=code == first)
        for code, (x, y) in places.items()
    )
    text = (
        f"Causal graph of {len(nodes)} layers and {len(arrows)} edges, phase {graph.phase}; "
        f"dominant path {' to '.join(path)}. The table below has every edge."
    )
    return GraphDrawing(phase=graph.phase, path=tuple(path), nodes=nodes, arrows=arrows, text=text)


def _place_node(at: int) -> tuple[float, float]:
    # the first layer at the top, the others clockwise
    turn = 2 * math.pi * at / len(CODES) - math.pi / 2
    return (
        round(GRAPH_WIDTH / 2 + (GRAPH_WIDTH / 2 - 60) * math.cos(turn), 1),
        round(GRAPH_HEIGHT / 2 + (GRAPH_HEIGHT / 2 - 40) * math.sin(turn), 1),
    )


def _draw_arrow(
    link: LayerLink,
    edge: EdgeEvidence,
    weight: float,
    places: Mapping[str, tuple[float, float]],
    leading: bool,
) -> GraphArrow:
    (x1, y1), (x2, y2) = places[link.source], places[link.target]
    long = math.hypot(x2 - x1, y2 - y1)
    across, down = (x2 - x1) / long, (y2 - y1) / long
    middle = ((x1 + x2) / 2 - EDGE_BEND * down, (y1 + y2) / 2 + EDGE_BEND * across)
    start = (x1 + NODE_RADIUS * across, y1 + NODE_RADIUS * down)
    # room for the arrow head
    end = (x2 - (NODE_RADIUS + 6) * across, y2 - (NODE_RADIUS + 6) * down)
    points = [f"{x:.1f},{y:.1f}" for x, y in (start, middle, end)]
    if edge.p == 1:
        edge_state = "not tested"
    elif not edge.found:
        edge_state = "not found"
    else:
        edge_state = "contradicted" if edge.strength < 0 else "found"
    return GraphArrow(
        source=link.source,
        target=link.target,
        curve=f"M{points[0]} Q{points[1]} {points[2]}",
        # the label is at the middle of the quadratic curve
        x=round(start[0] / 4 + middle[0] / 2 + end[0] / 4, 1),
        y=round(start[1] / 4 + middle[1] / 2 + end[1] / 4 + 4, 1),
        width=round(1 + 5 * abs(weight), 1),
        weight=_format_weight(weight),
        theory=f"{link.weight:.2f}",
        figures=_format_weight(edge.strength) if edge.p < 1 else NONE,
        months=edge.months,
        state=edge_state,
        leading=leading,
    )


def _format_weight(value: float) -> str:
    """Return a propagation weight with its sign; + raises the target."""
    return f"{value:+.2f}".replace("-", "−")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityMark:
    """Predictions of similar confidence: their position, and their forecast and observed rates."""

    x: float
    y: float
    radius: float
    n: int
    said: str
    came: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityDiagram:
    """A reliability diagram of one horizon; `text` is the text alternative."""

    marks: tuple[ReliabilityMark, ...]
    text: str
    side: int = RELIABILITY_SIDE
    low: int = RELIABILITY_MARGIN
    high: int = RELIABILITY_SIDE - RELIABILITY_MARGIN


def draw_reliability(days: int, bins: Sequence[Mapping[str, Any]]) -> ReliabilityDiagram | None:
    """Return the diagram of a horizon's bins (see BinOut); None without bins."""
    if not bins:
        return None
    most = max(bin_["n"] for bin_ in bins)
    marks = tuple(
        ReliabilityMark(
            x=_scale_to_diagram(float(bin_["said"])),
            y=round(RELIABILITY_SIDE - _scale_to_diagram(float(bin_["came"])), 1),
            # areas, not radii, are proportional to the number of predictions
            radius=round(3 + 7 * math.sqrt(bin_["n"] / most), 1),
            n=bin_["n"],
            said=f"{100 * float(bin_['said']):.0f} %",
            came=f"{100 * float(bin_['came']):.0f} %",
        )
        for bin_ in bins
    )
    text = "; ".join(f"forecast {mark.said}, observed {mark.came} ({mark.n})" for mark in marks)
    return ReliabilityDiagram(marks=marks, text=f"Reliability at {days} days: {text}")


def _scale_to_diagram(share: float) -> float:
    return round(RELIABILITY_MARGIN + share * (RELIABILITY_SIDE - 2 * RELIABILITY_MARGIN), 1)
