"""Maps answers of the GLEIF API (JSON:API, version 1) to values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from apps.platform.common.clock import assume_utc
from apps.platform.common.lei import is_valid_lei
from apps.reference.lei import gleif_codes
from apps.reference.lei.values import (
    Entity,
    Exemption,
    Malformed,
    OtherName,
    Ownership,
    ParentKind,
)

ParentStatement = Literal["relationship", "exception", "none"]


@dataclass(frozen=True, slots=True)
class EntityAnswer:
    """A level 1 answer: the entity, the date of its content, and the paths of its owners."""

    entity: Entity
    published: datetime
    direct: ParentStatement
    ultimate: ParentStatement


def parse_record(body: Mapping[str, Any]) -> EntityAnswer:
    """Map `/lei-records/LEI` (also `/direct-parent`, `/ultimate-parent`); Malformed if not one."""
    data = _require_resource(body, "lei-records")
    attributes = _mapping_at(data, "attributes")
    entity = _mapping_at(attributes, "entity")
    registration = _mapping_at(attributes, "registration")
    listed = [
        *(entity.get("otherNames") or []),
        *(entity.get("transliteratedOtherNames") or []),
    ]
    parsed_entity = Entity(
        lei=_require_lei(attributes.get("lei")),
        legal_name=_name_at(_mapping_at(entity, "legalName")),
        registration_status=_text_at(registration, "status", needed=True),
        entity_status=_text_at(entity, "status"),
        jurisdiction=_text_at(entity, "jurisdiction"),
        country=_text_at(_mapping_at(entity, "legalAddress"), "country"),
        category=_text_at(entity, "category"),
        legal_form=_text_at(_mapping_at(entity, "legalForm"), "id"),
        registered_as=_text_at(entity, "registeredAs"),
        managing_lou=_text_at(registration, "managingLou"),
        successor=_text_at(_mapping_at(entity, "successorEntity"), "lei"),
        next_renewal=_day_at(registration, "nextRenewalDate"),
        other_names=tuple(
            OtherName(_name_at(name_entry), _text_at(name_entry, "type"))
            for name_entry in listed
            if isinstance(name_entry, Mapping)
        ),
        headquarters=_text_at(_mapping_at(entity, "headquartersAddress"), "country"),
    )
    # which links an entity has says whether it names a parent, states an exception, or neither
    links = _mapping_at(data, "relationships")
    return EntityAnswer(
        parsed_entity,
        parse_publish_time(body),
        _parent_statement(links, "direct"),
        _parent_statement(links, "ultimate"),
    )


def parse_relationship(body: Mapping[str, Any]) -> Ownership | None:
    """Map a relationship record; None when it is not one of ownership or no longer active."""
    attributes = _mapping_at(_require_resource(body, "relationship-records"), "attributes")
    relationship = _mapping_at(attributes, "relationship")
    spans = [
        part
        for part in relationship.get("periods") or []
        if isinstance(part, Mapping) and part.get("type") == "RELATIONSHIP_PERIOD"
    ]
    span = spans[0] if spans else {}
    ownership = gleif_codes.build_ownership(
        _require_lei(_mapping_at(relationship, "startNode").get("id")),
        _require_lei(_mapping_at(relationship, "endNode").get("id")),
        _text_at(relationship, "type", needed=True),
        status=_text_at(relationship, "status"),
        since=_day_at(span, "startDate"),
        until=_day_at(span, "endDate"),
    )
    return ownership if ownership is not None and ownership.status == "ACTIVE" else None


def parse_exception(body: Mapping[str, Any]) -> Exemption:
    """Map a reporting exception; Malformed when its category is unknown."""
    attributes = _mapping_at(_require_resource(body, "reporting-exceptions"), "attributes")
    kind = gleif_codes.CATEGORIES.get(_text_at(attributes, "category", needed=True))
    if kind is None:
        raise Malformed(f"unknown category of exception {attributes.get('category')!r}")
    reason = _text_at(attributes, "reason", needed=True)
    return Exemption(_require_lei(attributes.get("lei")), kind, reason)


def parse_publish_time(body: Mapping[str, Any]) -> datetime:
    """Return when the golden copy behind an answer was published; Malformed if it is not said."""
    text = _text_at(
        _mapping_at(_mapping_at(body, "meta"), "goldenCopy"), "publishDate", needed=True
    )
    try:
        # the date of the content, not of the answer: it is compared with that of files
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Malformed(f"publishDate {text!r} is not an ISO 8601 time") from error
    return assume_utc(moment)


def parent_path(lei: str, kind: ParentKind, what: ParentStatement) -> str:
    """Return the path below the API's base for an entity's parent."""
    tail = {
        "relationship": "parent-relationship",
        "exception": "parent-reporting-exception",
    }[what]
    return f"lei-records/{lei}/{kind.lower()}-{tail}"


def _parent_statement(links: Mapping[str, Any], kind: str) -> ParentStatement:
    statement_links = _mapping_at(_mapping_at(links, f"{kind}-parent"), "links")
    if "relationship-record" in statement_links:
        return "relationship"
    return "exception" if "reporting-exception" in statement_links else "none"


def _require_resource(body: Mapping[str, Any], kind: str) -> Mapping[str, Any]:
    data = _mapping_at(body, "data")
    if data.get("type") != kind:
        raise Malformed(f"the answer holds {data.get('type')!r} instead of {kind}")
    return data


def _mapping_at(parent: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = parent.get(key) if isinstance(parent, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _text_at(parent: Mapping[str, Any], key: str, *, needed: bool = False) -> str:
    value = parent.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or (needed and not value):
        raise Malformed(f"{key} is {value!r} instead of text")
    return value


def _name_at(parent: Mapping[str, Any]) -> str:
    return _text_at(parent, "name", needed=True)


def _day_at(parent: Mapping[str, Any], key: str) -> date | None:
    return gleif_codes.parse_gleif_day(_text_at(parent, key))


def _require_lei(value: object) -> str:
    if not isinstance(value, str) or not is_valid_lei(value):
        raise Malformed(f"{value!r} is not an LEI")
    return value
