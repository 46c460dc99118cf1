"""Editions of the causal graph for answers and pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import zip_longest
from typing import Any

from apps.insight.intelligence.component_payloads import FOUR_DECIMALS
from apps.insight.intelligence.method_inputs import round_to_step
from apps.insight.intelligence.models import GraphEdition
from apps.insight.intelligence.regimes import verified_records

# units of an edition's share in the whole
SHARE_SCALE = 10_000


@dataclass(frozen=True, slots=True)
class _EditionHead:
    """The columns of a verified edition that a process keeps in memory."""

    pk: int
    number: int
    day: date
    phase: str
    share: int


def load_newest_edition(now: datetime) -> Mapping[str, Any]:
    """Return the newest verified edition at a moment, and since when its phase holds."""
    editions = _load_edition_heads(now)
    if not editions:
        return {"edition": None}
    newest = first = editions[-1]
    for edition in reversed(editions):
        if edition.phase != newest.phase:
            break
        first = edition
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
    """Return the newest verified editions at a moment, the newest first."""
    verified = [edition.pk for edition in _load_edition_heads(now)]
    # one more than is listed: the oldest of the list is compared with the edition before it
    rows = list(GraphEdition.objects.filter(pk__in=verified).order_by("-number")[: count + 1])
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


def _load_edition_heads(now: datetime) -> list[_EditionHead]:
    """Return the verified editions up to a moment, the oldest first.

    Rows without a valid MAC are left out: what an intruder inserts is not sold as ours.
    """
    heads = verified_records.load_verified_records(GraphEdition, now, _extract_head)
    return sorted(heads, key=lambda head: head.number)


def _extract_head(edition: GraphEdition) -> _EditionHead:
    return _EditionHead(edition.pk, edition.number, edition.day, edition.phase, edition.share)


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
