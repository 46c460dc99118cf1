"""Editions of the causal graph as answers and pages tell them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import zip_longest
from typing import Any

from django.db.models import Max

from apps.intelligence.known import rounded
from apps.intelligence.models import GraphEdition
from apps.intelligence.telling import HUNDREDTH

SHARE = 10_000  # an edition's share counts these parts


def standing(now: datetime) -> Mapping[str, Any]:
    """Return the newest edition at a moment, and since when its phase holds; two queries."""
    made = GraphEdition.objects.filter(recorded_at__lte=now)
    newest = made.order_by("-number").first()
    if newest is None:
        return {"edition": None}
    other = made.exclude(phase=newest.phase).aggregate(last=Max("number"))["last"] or 0
    first = newest
    if other + 1 < newest.number:
        first = made.filter(number=other + 1).first() or newest
    return {
        "edition": {
            "number": newest.number,
            "day": newest.day,
            "phase": newest.phase,
            "phase_since": first.day,
            "empirical_share": rounded(newest.share / SHARE, HUNDREDTH),
        }
    }


@dataclass(frozen=True, slots=True)
class Told:
    """An edition in a list: what changed since the one before, in a sentence."""

    number: int
    day: date
    phase: str
    share: str
    changed: str


def listed(now: datetime, count: int = 30) -> list[Told]:
    """Return the newest editions at a moment, the newest first; one query."""
    rows = list(GraphEdition.objects.filter(recorded_at__lte=now).order_by("-number")[: count + 1])
    return [
        Told(one.number, one.day, one.phase, f"{one.share / SHARE:.1%}", changed(one, before))
        for one, before in zip_longest(rows, rows[1:])
    ][:count]


def changed(one: GraphEdition, before: GraphEdition | None) -> str:
    """Return what an edition has otherwise than the one before."""
    if before is None or not one.data or not before.data:
        return ""
    pairs = list(zip(_edges(one), _edges(before), strict=False))
    moved = sum(new["weight"] != old["weight"] for new, old in pairs)
    turned = [new for new, old in pairs if new["found"] != old["found"]]
    told = [f"{moved} of {len(pairs)} weights"] if moved else []
    told += [
        f"{edge['from']} to {edge['to']} {'found' if edge['found'] else 'no longer found'}"
        for edge in turned
    ]
    return ", ".join(told) or "nothing"


def _edges(one: GraphEdition) -> Sequence[Mapping[str, Any]]:
    edges: Sequence[Mapping[str, Any]] = one.data["edges"]
    return edges
