"""GLEIF's data on legal entities and their owners, from any file or answer."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

ParentKind = Literal["DIRECT", "ULTIMATE"]
Role = Literal["SUBJECT", "DIRECT_PARENT", "INTERMEDIATE", "ULTIMATE_PARENT"]
LookupStatus = Literal["KNOWN", "UNKNOWN", "NOT_CHECKED"]
Source = Literal["GLEIF_FILE", "GLEIF_API", "SAMPLE"]


class Malformed(ValueError):
    """A GLEIF file or answer does not have the published shape."""


@dataclass(frozen=True, slots=True)
class OtherName:
    """A further name of an entity with GLEIF's type, such as PREVIOUS_LEGAL_NAME."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Entity:
    """Level 1: who is who (LEI-CDF 3.1). Codes are GLEIF's own; absent text is empty.

    `jurisdiction` is ISO 3166-1 or 3166-2 (`US-DE`), `country` that of the legal address,
    `headquarters` the country of the headquarters.
    `deleted` is only set in delta files: the record left the public set.
    """

    lei: str
    legal_name: str
    registration_status: str
    entity_status: str = ""
    jurisdiction: str = ""
    country: str = ""
    category: str = ""
    legal_form: str = ""
    registered_as: str = ""
    managing_lou: str = ""
    successor: str = ""
    next_renewal: date | None = None
    other_names: tuple[OtherName, ...] = ()
    headquarters: str = ""
    deleted: bool = False

    @property
    def countries(self) -> tuple[str, ...]:
        """The countries (ISO 3166-1) of legal address, headquarters and jurisdiction, each once."""
        places = (self.country, self.headquarters, self.jurisdiction[:2])
        return tuple(dict.fromkeys(code for code in places if code))


@dataclass(frozen=True, slots=True)
class Ownership:
    """Level 2: `child` is consolidated by `parent` (RR-CDF 2.1); `share` in percent, if said."""

    child: str
    parent: str
    kind: ParentKind
    status: str = "ACTIVE"
    since: date | None = None
    until: date | None = None
    deleted: bool = False
    share: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Exemption:
    """Level 2: why `lei` names no parent of this kind (Reporting Exceptions 2.1)."""

    lei: str
    kind: ParentKind
    reason: str
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class HeldEntity:
    """An entity as we hold it: with the source, the day of its content and when it was fetched."""

    entity: Entity
    source: Source
    as_of: datetime
    fetched_at: datetime


class HeldRecords(dict[str, HeldEntity]):
    """Current records by LEI; `altered` are the LEIs whose record differs from its import."""

    def __init__(self) -> None:
        super().__init__()
        self.altered: set[str] = set()


@dataclass(frozen=True, slots=True)
class LeiLookup:
    """The result of looking up an LEI; NOT_CHECKED: no source could be reached."""

    lei: str
    status: LookupStatus
    record: HeldEntity | None = None
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class OwnerNode:
    """One entity of an ownership chain; `known` is false when only its LEI is known.

    `also` are its other names: in other scripts and languages, former and trading ones. `status`
    is that of the LEI's registration on the day of the question.
    """

    lei: str
    name: str
    role: Role
    jurisdiction: str = ""
    country: str = ""
    known: bool = True
    also: tuple[str, ...] = ()
    status: str = ""
    headquarters: str = ""
    category: str = ""

    @property
    def natural(self) -> bool:
        """Whether a person trades under this LEI (LEI-CDF: EntityCategory)."""
        return self.category == "SOLE_PROPRIETOR"

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Return what of it is in which country (ISO 3166-1), in words, where it is known."""
        place_fields = (
            ("jurisdiction", self.jurisdiction[:2]),
            ("legal address in", self.country),
            ("headquarters in", self.headquarters),
        )
        return tuple((what, code) for what, code in place_fields if code)


@dataclass(frozen=True, slots=True)
class OwnerGap:
    """A place in the chain where an owner could not be named.

    `reason` is GLEIF's exception reason, or NOT_REPORTED (neither owner nor exception is on
    record), NOT_CHECKED (the entity itself is not held), CYCLE or TOO_LONG.
    """

    role: Role
    reason: str


@dataclass(frozen=True, slots=True)
class OwnershipTie:
    """One statement that `parent` consolidates `child`; `share` in percent, None if not said."""

    child: str
    parent: str
    kind: ParentKind
    share: Decimal | None = None


@dataclass(frozen=True, slots=True)
class OwnerChain:
    """The subject and its owners upwards, with gaps and the age of the oldest part.

    `nodes` are the requested ones, `further` every other owner on record; `ties` say who owns whom,
    `renewals` is the last day on which all its statuses are valid. `untraced` are the gaps between
    the owners shown if all were requested: reported, but never the reason of a decision, which does
    not depend on what is shown.
    """

    subject: str
    nodes: tuple[OwnerNode, ...]
    gaps: tuple[OwnerGap, ...]
    as_of: datetime | None = None
    sample: bool = False
    further: tuple[OwnerNode, ...] = ()
    ties: tuple[OwnershipTie, ...] = ()
    renewals: date | None = None
    untraced: tuple[OwnerGap, ...] = ()

    @property
    def everybody(self) -> tuple[OwnerNode, ...]:
        """Return the subject and every owner on record, shown or not."""
        return (*self.nodes, *self.further)
