"""Editions of the causal graph as answers and pages tell them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import zip_longest
from typing import Any

from django.db.models import Max

from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import round_to_step
from apps.insight.intelligence.models import GraphEdition

SHARE_SCALE = 10_000  # an edition's share counts these parts


def load_newest_edition(now: datetime) -> Mapping[str, Any]:
    """Return the newest edition at a moment, and since when its phase holds; two queries."""
    graph_editions = GraphEdition.objects.filter(recorded_at__lte=now)
    newest = graph_editions.order_by("-number").first()
    if newest is None:
        return {"edition": None}
    other = graph_editions.exclude(phase=newest.phase).aggregate(last=Max("number"))["last"] or 0
    first = newest
    if other + 1 < newest.number:
        first = graph_editions.filter(number=other + 1).first() or newest
    return {
        "edition": {
            "number": newest.number,
            "day": newest.day,
            "phase": newest.phase,
            "phase_since": first.day,
            "empirical_share": round_to_step(newest.share / SHARE_SCALE, FOUR_DECIMALS),
        }
    }


@dataclass(frozen=True, slots=True)
class EditionSummary:
    """An edition in a list: what changed since the one before, in a sentence."""

    number: int
    day: date
    phase: str
    share: str
    changed: str


def list_graph_editions(now: datetime, count: int = 30) -> list[EditionSummary]:
    """Return the newest editions at a moment, the newest first; one query."""
    rows = list(GraphEdition.objects.filter(recorded_at__lte=now).order_by("-number")[: count + 1])
    return [
        EditionSummary(
            edition.number,
            edition.day,
            edition.phase,
            f"{edition.share / SHARE_SCALE:.1%}",
            describe_edition_changes(edition, before),
        )
        for edition, before in zip_longest(rows, rows[1:])
    ][:count]


def describe_edition_changes(graph_edition: GraphEdition, before: GraphEdition | None) -> str:
    """Return what an edition has otherwise than the one before."""
    if before is None or not graph_edition.data or not before.data:
        return ""
    pairs = list(zip(_edges_of_edition(graph_edition), _edges_of_edition(before), strict=False))
    moved = sum(new["weight"] != old["weight"] for new, old in pairs)
    turned = [new for new, old in pairs if new["found"] != old["found"]]
    parts = [f"{moved} of {len(pairs)} weights"] if moved else []
    parts += [
        f"{edge['from']} to {edge['to']} {'found' if edge['found'] else 'no longer found'}"
        for edge in turned
    ]
    return ", ".join(parts) or "nothing"


def _edges_of_edition(graph_edition: GraphEdition) -> Sequence[Mapping[str, Any]]:
    edges: Sequence[Mapping[str, Any]] = graph_edition.data["edges"]
    return edges
