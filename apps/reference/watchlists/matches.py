"""The results of a search: listed parties found, and what is stored and shown of each."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.match_effects import MatchEffect
from apps.reference.watchlists.matching.explanation import Explanation
from apps.reference.watchlists.matching.index import Hit


@dataclass(frozen=True, slots=True)
class ListMatch:
    """A listed party that a name or identifier found; `score` in whole percents, rounded down.

    `name` is the listed name that agrees best, `asked` the name or identifier that found it,
    `by` NAME, ALIAS or the kind of the identifier in capitals, `part` what of a name field the
    name was (`namefield.parts.NamePart`).
    """

    ref: str
    dataset: str
    name: str
    score: int
    entity: ListedEntity
    asked: str = ""
    by: str = "NAME"
    part: str = "MAIN"
    effects: tuple[MatchEffect, ...] = ()
    notes: tuple[str, ...] = ()
    explanation: Explanation | None = None

    @property
    def exact(self) -> bool:
        """Whether an identifier found it."""
        return self.by not in ("NAME", "ALIAS")

    @property
    def primary(self) -> str:
        """The name under which the list has the party."""
        names = self.entity.names
        first = (name.full for name in names if name.kind == "primary")
        return next(first, names[0].full if names else "")

    @property
    def evidence(self) -> dict[str, Any]:
        """What an officer or examiner needs to see, in canonical form."""
        payload: dict[str, Any] = {
            "entity": _serialize_entity(self.entity) | {"primary": self.primary},
            "asked": self.asked,
            "by": self.by,
            "part": self.part,
            "effects": [effect.as_dict() for effect in self.effects],
        }
        if self.explanation is not None:
            payload["explanation"] = replace_floats(self.explanation.as_dict())
        return payload

    def recorded(self) -> dict[str, Any]:
        """Return it as it is kept in records and shown to officers, in canonical form."""
        payload = {"name": self.name, "score": self.score, "dataset": self.dataset}
        return payload | {"entityId": self.ref, "exact": self.exact} | self.evidence

    def shown(self) -> dict[str, Any]:
        """Return what an API client sees of it."""
        return {
            "name": self.primary,
            "matched_name": self.name,
            "matched_by": self.by,
            "type": self.entity.schema.lower(),
            "programs": list(self.entity.programs),
            "birth_dates": list(self.entity.birth_dates),
            "listed_on": self.entity.listed_on or None,
            "score": self.score,
            "dataset": self.dataset,
            "entity_id": self.ref,
            "evidence": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class LookupResult:
    """What the lists say of a party: matches from 45% on, best first; five where one blocks.

    `score` is the best from 20% on, and `nearest` whose it is; `unread` are sentences why a name
    was not fully checked, empty when every name was searched whole. `complete` says that no
    further party matches.
    """

    matches: tuple[ListMatch, ...] = ()
    unread: tuple[str, ...] = ()
    score: int = 0
    nearest: str = ""
    complete: bool = False


NOBODY = LookupResult()


@dataclass(frozen=True, slots=True)
class BulkHits:
    """The same as bare hits, best first, for files of many names."""

    hits: tuple[Hit, ...]
    unread: tuple[str, ...] = ()


def _serialize_entity(entity: ListedEntity) -> dict[str, Any]:
    facts: dict[str, list[Any]] = {
        "birthNotes": list(entity.birth_notes),
        # the counts are bounds of a record: a party may have hundreds of names and numbers
        "falseIdentifiers": [
            {
                "kind": false_identifier.kind,
                "value": false_identifier.value,
                "country": false_identifier.country,
            }
            for false_identifier in entity.false_identifiers[:20]
        ],
        "measures": list(entity.measures),
    }
    return {
        "entityId": entity.entity_id,
        "schema": entity.schema,
        "names": [name.full for name in entity.names][:20],
        "weak": [name.full for name in entity.names if name.weak][:20],
        "countries": list(entity.countries),
        "birthDates": list(entity.birth_dates),
        "programs": list(entity.programs),
        "positions": [
            {"title": p.title, "country": p.country, "since": p.since, "until": p.until}
            for p in entity.positions
        ],
        "identifiers": [
            {"kind": identifier.kind, "value": identifier.value, "country": identifier.country}
            for identifier in entity.identifiers[:20]
        ],
        "addresses": list(entity.addresses[:10]),
        "gender": entity.gender,
        "listedOn": entity.listed_on,
        "remarks": entity.remarks[:1000],
    } | {name: values for name, values in facts.items() if values}


def replace_floats(value: Any) -> Any:
    """Return a value without floats, which have no canonical form: four decimals are kept."""
    if isinstance(value, float):
        return Decimal(str(round(value, 4)))
    if isinstance(value, dict):
        return {name: replace_floats(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [replace_floats(inner) for inner in value]
    return value
