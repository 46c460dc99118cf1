"""Holds every part of a name field against an index of listed parties."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from apps.watchlists.matching.index import MatchIndex, Query
from apps.watchlists.namefield.reading import read
from apps.watchlists.namefield.spotting import held, spotted
from apps.watchlists.namefield.values import Part, PartHit


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, best first, and sentences for what of the field was not compared."""

    found: tuple[PartHit, ...]
    unread: tuple[str, ...]


def search(*, index: MatchIndex, query: Query, cutoff: float = 0.45, limit: int = 20) -> Finding:
    """Search each part of `query.name`, and each identifier in it exactly.

    Everything else that the query says holds for every part. Returns at most `limit` parties.
    """
    field = read(query.name)
    best: dict[str, PartHit] = {}
    hits = list(_hits(index, query, field.parts, cutoff, limit))
    for one in hits or spotted(index=index, query=query, field=field, cutoff=cutoff):
        rival = best.get(one.hit.ref)
        if rival is None or (one.hit.score, one.hit.exact) > (rival.hit.score, rival.hit.exact):
            best[one.hit.ref] = one
    for identifier in field.identifiers:
        for hit in index.search_exact(kind=identifier.kind, value=identifier.value):
            best[hit.ref] = PartHit(hit, field.parts[0])
    ranked = sorted(best.values(), key=lambda one: (-one.hit.score, one.hit.ref))
    return Finding(tuple(ranked[:limit]), field.unread)


def _hits(
    index: MatchIndex, query: Query, parts: tuple[Part, ...], cutoff: float, limit: int
) -> Iterator[PartHit]:
    for part in parts:
        asked = replace(query, name=part.text)
        for hit in index.search(asked, cutoff=cutoff, limit=limit):
            yield PartHit(held(hit, part), part)
