"""What a list says of a party, in one shape whatever file it came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Schema = Literal["Person", "Organization", "Vessel", "Aircraft", "Unknown"]
Topic = Literal["sanction", "pep", "other"]


@dataclass(frozen=True, slots=True)
class ListedName:
    """One name of a listed party; `weak` marks what the list itself calls a low-quality alias."""

    full: str
    kind: Literal["primary", "alias", "former"] = "alias"
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Identifier:
    """An exact identifier.

    `kind` is lei, imo, bic, wallet, passport, national_id, tax_id, registration or other; `value`
    is as the list prints it; comparison happens on the normalised form.
    """

    kind: str
    value: str
    country: str = ""
    asset: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """An office held: country is alpha-2 (or EU, UN), dates are ISO, possibly partial."""

    title: str
    country: str = ""
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class ListedEntity:
    """A party as one list has it. Dates are ISO and may be partial (`1965`, `1965-03`).

    `birth_dates` are all possible readings of the printed ones, and `birth_notes` the printed form
    of those that are not plain dates. `false_identifiers` are marked as false by the list: shown,
    never compared. `measures` are those imposed, if the list states them.
    """

    entity_id: str
    schema: Schema
    names: tuple[ListedName, ...]
    topic: Topic = "sanction"
    countries: tuple[str, ...] = ()
    birth_dates: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    positions: tuple[Position, ...] = ()
    programs: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    gender: str = ""
    listed_on: str = ""
    remarks: str = field(default="", compare=False)
    birth_notes: tuple[str, ...] = field(default=(), compare=False)
    false_identifiers: tuple[Identifier, ...] = ()
    measures: tuple[str, ...] = ()


PARTS = {
    "names": ListedName,
    "identifiers": Identifier,
    "positions": Position,
    "false_identifiers": Identifier,
}
DEFAULTS = {kind: [(spec.name, spec.default) for spec in fields(kind)] for kind in PARTS.values()}
NAMES = tuple(spec.name for spec in fields(ListedEntity))


def serialize_entity(entity: ListedEntity) -> dict[str, Any]:
    """Return the entity as plain JSON values without empty ones, to keep rows small."""
    payload: dict[str, Any] = {}
    for name in NAMES:
        value = getattr(entity, name)
        if not value:
            continue
        if name in PARTS:
            payload[name] = [_serialize_part(part) for part in value]
        else:
            payload[name] = list(value) if isinstance(value, tuple) else value
    return payload


def deserialize_entity(data: Mapping[str, Any]) -> ListedEntity:
    """Return the entity that `serialize_entity` gave these values for."""
    payload: dict[str, Any] = {"names": ()}
    for name, value in data.items():
        if name in PARTS:
            payload[name] = tuple(PARTS[name](**part) for part in value)
        else:
            payload[name] = tuple(value) if isinstance(value, list) else value
    return ListedEntity(**payload)


def _serialize_part(part: Any) -> dict[str, Any]:
    known = ((name, getattr(part, name), default) for name, default in DEFAULTS[type(part)])
    return {name: value for name, value, default in known if value != default}
