"""Finds a party on the lists and keeps what an officer or examiner needs to see of it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.watchlists import holders
from apps.watchlists.engine import Engine
from apps.watchlists.matching.explain import explain
from apps.watchlists.matching.index import Hit, MatchIndex, Query
from apps.watchlists.matching.names import MAX_CHARACTERS, MAX_TOKENS
from apps.watchlists.rules import PARTIAL_SCORE, percent
from apps.watchlists.subjects import Subject
from apps.watchlists.values import ListedEntity

SHOWN = 5
_WORD = re.compile(r"[^\W_]+")


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


@dataclass(frozen=True, slots=True)
class Found:
    """What the lists say of a party: matches best first, and why it was not fully checked.

    `unread` are sentences, empty when every name was searched whole.
    """

    matches: tuple[Match, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def score(self) -> int:
        """Return the score of the best match in whole percents, 0 when there is none."""
        return self.matches[0].score if self.matches else 0


def sanctions(*, engine: Engine, subject: Subject) -> Found:
    """Return sanctioned parties that a name resembles by 45% or more, or that bear the LEI.

    Every type of listed party is searched, whatever is known of the subject. Best first, at
    most five. Document 1 section 2.7, check rule 3.
    """
    best: dict[str, Match] = {}
    for name in subject.names:
        query = Query(name=name)
        hits = engine.sanctions.search(query, cutoff=PARTIAL_SCORE / 100, limit=SHOWN)
        _keep(best, (_match(engine.sanctions, query, hit) for hit in hits))
    if subject.lei:
        query = Query(name=subject.name)
        exact = engine.sanctions.search_exact(kind="lei", value=subject.lei)
        _keep(best, (_match(engine.sanctions, query, hit) for hit in exact))
    ranked = sorted(best.values(), key=lambda match: (-match.score, match.ref))
    return Found(tuple(ranked[:SHOWN]), tuple(_unread(subject)))


def _keep(best: dict[str, Match], found: Iterable[Match]) -> None:
    """Keep of each listed party its best match; one by an identifier outranks one by name."""
    for match in found:
        rival = best.get(match.ref)
        if rival is None or (match.score, match.exact) > (rival.score, rival.exact):
            best[match.ref] = match


def _unread(subject: Subject) -> Iterator[str]:
    for name in subject.names:
        if len(name) > MAX_CHARACTERS or len(_WORD.findall(name)) > MAX_TOKENS:
            yield f"only the first {MAX_TOKENS} words of a name are compared."


def office_holders(*, engine: Engine, name: str) -> tuple[Match, ...]:
    """Return politically exposed persons at 60% or more, best first, at most five."""
    query = Query(name=name, schema="Person")
    found = holders.office_holders(index=engine.pep, name=name, limit=SHOWN)
    return tuple(_match(engine.pep, query, one.hit) for one in found)


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
