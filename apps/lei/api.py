"""Maps answers of the GLEIF API (JSON:API, version 1) to values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from apps.core.lei import is_valid
from apps.lei import codes
from apps.lei.values import (
    Entity,
    Exemption,
    Malformed,
    OtherName,
    Ownership,
    ParentKind,
)

Kept = Literal["relationship", "exception", "none"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A level 1 answer: the entity, the day of its content, and where its owners are told."""

    entity: Entity
    published: datetime
    direct: Kept
    ultimate: Kept


def record(body: Mapping[str, Any]) -> Answer:
    """Map `/lei-records/LEI` (also `/direct-parent`, `/ultimate-parent`); Malformed if not one."""
    data = _data(body, "lei-records")
    attributes = _mapping(data, "attributes")
    entity, registration = (
        _mapping(attributes, "entity"),
        _mapping(attributes, "registration"),
    )
    found = Entity(
        lei=_lei(attributes.get("lei")),
        legal_name=_name(_mapping(entity, "legalName")),
        registration_status=_text(registration, "status", needed=True),
        entity_status=_text(entity, "status"),
        jurisdiction=_text(entity, "jurisdiction"),
        country=_text(_mapping(entity, "legalAddress"), "country"),
        category=_text(entity, "category"),
        legal_form=_text(_mapping(entity, "legalForm"), "id"),
        registered_as=_text(entity, "registeredAs"),
        managing_lou=_text(registration, "managingLou"),
        successor=_text(_mapping(entity, "successorEntity"), "lei"),
        next_renewal=_day(registration, "nextRenewalDate"),
        other_names=_others(entity),
        headquarters=_text(_mapping(entity, "headquartersAddress"), "country"),
    )
    links = _mapping(data, "relationships")
    return Answer(found, published(body), _kept(links, "direct"), _kept(links, "ultimate"))


def relationship(body: Mapping[str, Any]) -> Ownership | None:
    """Map a relationship record; None when it is not one of ownership or no longer active."""
    attributes = _mapping(_data(body, "relationship-records"), "attributes")
    said = _mapping(attributes, "relationship")
    spans = [
        part
        for part in said.get("periods") or []
        if isinstance(part, Mapping) and part.get("type") == "RELATIONSHIP_PERIOD"
    ]
    span = spans[0] if spans else {}
    found = codes.ownership(
        _lei(_mapping(said, "startNode").get("id")),
        _lei(_mapping(said, "endNode").get("id")),
        _text(said, "type", needed=True),
        status=_text(said, "status"),
        since=_day(span, "startDate"),
        until=_day(span, "endDate"),
    )
    return found if found is not None and found.status == "ACTIVE" else None


def exception(body: Mapping[str, Any]) -> Exemption:
    """Map a reporting exception; Malformed when its category is unknown."""
    attributes = _mapping(_data(body, "reporting-exceptions"), "attributes")
    kind = codes.CATEGORIES.get(_text(attributes, "category", needed=True))
    if kind is None:
        raise Malformed(f"unknown category of exception {attributes.get('category')!r}")
    reason = _text(attributes, "reason", needed=True)
    return Exemption(_lei(attributes.get("lei")), kind, reason)


def published(body: Mapping[str, Any]) -> datetime:
    """Return when the golden copy behind an answer was published; Malformed if it is not said."""
    text = _text(_mapping(_mapping(body, "meta"), "goldenCopy"), "publishDate", needed=True)
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise Malformed(f"publishDate {text!r} is not an ISO 8601 time") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def path(lei: str, kind: ParentKind, what: Kept) -> str:
    """Return the address below the API's base where an entity's parent is told."""
    tail = {
        "relationship": "parent-relationship",
        "exception": "parent-reporting-exception",
    }[what]
    return f"lei-records/{lei}/{kind.lower()}-{tail}"


def _kept(links: Mapping[str, Any], kind: str) -> Kept:
    found = _mapping(_mapping(links, f"{kind}-parent"), "links")
    if "relationship-record" in found:
        return "relationship"
    return "exception" if "reporting-exception" in found else "none"


def _data(body: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    data = _mapping(body, "data")
    if data.get("type") != kind:
        raise Malformed(f"the answer holds {data.get('type')!r} instead of {kind}")
    return data


def _mapping(parent: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = parent.get(key) if isinstance(parent, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _text(parent: Mapping[str, Any], key: str, *, needed: bool = False) -> str:
    value = parent.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value):
        raise Malformed(f"{key} is {value!r} instead of text")
    return value


def _name(parent: Mapping[str, Any]) -> str:
    return _text(parent, "name", needed=True)


def _day(parent: Mapping[str, Any], key: str) -> date | None:
    return codes.day(_text(parent, key))


def _lei(value: object) -> str:
    if not isinstance(value, str) or not is_valid(value):
        raise Malformed(f"{value!r} is not an LEI")
    return value


def _others(entity: Mapping[str, Any]) -> tuple[OtherName, ...]:
    listed = [
        *(entity.get("otherNames") or []),
        *(entity.get("transliteratedOtherNames") or []),
    ]
    return tuple(
        OtherName(_name(one), _text(one, "type")) for one in listed if isinstance(one, Mapping)
    )
