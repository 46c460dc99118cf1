"""Finds a party on the lists and keeps what an officer or examiner needs to see of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.watchlists.engine import Engine
from apps.watchlists.matching.explain import explain
from apps.watchlists.matching.index import Hit, MatchIndex, Query
from apps.watchlists.rules import PARTIAL_SCORE, PEP_SCORE, percent
from apps.watchlists.values import ListedEntity, Schema

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Match:
    """A listed party that a name or identifier found; `score` in whole percents, rounded down."""

    ref: str
    dataset: str
    name: str
    score: int
    exact: bool
    evidence: dict[str, Any]

    def shown(self) -> dict[str, Any]:
        """Return what an API client sees of it."""
        return {
            "name": self.name,
            "score": self.score,
            "dataset": self.dataset,
            "entity_id": self.ref,
        }


def sanctions(
    *, engine: Engine, name: str, schema: Schema | None = None, lei: str = ""
) -> tuple[Match, ...]:
    """Return sanctioned parties that the name resembles by 45% or more, or that bear the LEI.

    Best first, at most five. Document 1 section 2.7, check rule 3.
    """
    query = Query(name=name, schema=schema)
    hits = engine.sanctions.search(query, cutoff=PARTIAL_SCORE / 100, limit=SHOWN)
    if lei:
        hits = _merged(engine.sanctions.search_exact(kind="lei", value=lei), hits)
    return tuple(_match(engine.sanctions, query, hit) for hit in hits[:SHOWN])


def office_holders(*, engine: Engine, name: str) -> tuple[Match, ...]:
    """Return politically exposed persons at 60% or more, best first, at most five."""
    query = Query(name=name, schema="Person")
    hits = engine.pep.search(query, cutoff=PEP_SCORE / 100, limit=SHOWN)
    return tuple(_match(engine.pep, query, hit) for hit in hits)


def _merged(first: Iterable[Hit], second: Iterable[Hit]) -> list[Hit]:
    found = {hit.ref: hit for hit in second} | {hit.ref: hit for hit in first}
    return sorted(found.values(), key=lambda hit: (-hit.score, hit.ref))


def _match(index: MatchIndex, query: Query, hit: Hit) -> Match:
    entity = index.entity(hit.position)
    evidence = {"entity": _entity(entity)}
    if not hit.exact and hit.name:
        why = explain(query=query, entity=entity, name=hit.name, weights=index.weights)
        evidence["explanation"] = exact(why.as_dict())
    return Match(hit.ref, hit.dataset, hit.name, percent(hit.score), hit.exact, evidence)


def _entity(entity: ListedEntity) -> dict[str, Any]:
    return {
        "entityId": entity.entity_id,
        "schema": entity.schema,
        "names": [name.full for name in entity.names][:20],
        "countries": list(entity.countries),
        "birthDates": list(entity.birth_dates),
        "programs": list(entity.programs),
        "positions": [
            {"title": p.title, "country": p.country, "since": p.since, "until": p.until}
            for p in entity.positions
        ],
        "identifiers": [{"kind": one.kind, "value": one.value} for one in entity.identifiers][:20],
        "listedOn": entity.listed_on,
        "remarks": entity.remarks[:1000],
    }


def exact(value: Any) -> Any:
    """Return a value without floats, which have no canonical form: four decimals are kept."""
    if isinstance(value, float):
        return Decimal(str(round(value, 4)))
    if isinstance(value, dict):
        return {name: exact(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [exact(inner) for inner in value]
    return value
