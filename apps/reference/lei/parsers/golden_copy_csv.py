"""The CSV form of GLEIF's files: columns found by name, of hundreds only those needed."""

import codecs
import csv
from collections.abc import Iterator
from typing import IO, Literal

from apps.reference.lei.gleif_codes import (
    build_exemption,
    build_ownership,
    parse_gleif_day,
    parse_percentage,
)
from apps.reference.lei.values import Entity, Exemption, Malformed, OtherName, Ownership

Kind = Literal["RECORDS", "RELATIONSHIPS", "EXCEPTIONS"]
Row = Entity | Ownership | Exemption

# characters of a cell; the module's default is an eighth of it
csv.field_size_limit(1 << 20)


class _Columns:
    """The positions of the columns of a header; Malformed names the first missing one."""

    def __init__(self, header: list[str]) -> None:
        self.header = header
        self.where = {name: index for index, name in enumerate(header)}

    def at(self, name: str) -> int:
        if name not in self.where:
            raise Malformed(f"the column {name} is missing")
        return self.where[name]

    def maybe(self, name: str) -> int:
        """Return the column, or one past the end: rows are padded by one empty cell."""
        return self.where.get(name, len(self.header))

    def names(self) -> list[tuple[int, int]]:
        """Return (name column, type column) of every further name of an entity."""
        prefixes = (
            "Entity.OtherEntityNames.",
            "Entity.TransliteratedOtherEntityNames.",
        )
        return [
            (index, self.maybe(f"{name}.type"))
            for name, index in self.where.items()
            if name.startswith(prefixes) and not name.endswith((".xmllang", ".type"))
        ]

    def deleted(self) -> int:
        indices = [index for name, index in self.where.items() if name.endswith("DeletedAt")]
        return indices[0] if indices else len(self.header)


class GoldenCopyCsv:
    """One CSV file, its header read; Malformed when that is none of GLEIF's."""

    def __init__(self, stream: IO[bytes]) -> None:
        # a TextIOWrapper would own the stream, which belongs to the caller
        self._reader = csv.reader(codecs.iterdecode(stream, "utf-8-sig"), strict=True)
        try:
            self._columns = _Columns(next(self._reader, []))
        except (csv.Error, UnicodeDecodeError) as error:
            raise Malformed(f"not a CSV file: {error}") from error
        self.kind = _file_kind_of_columns(self._columns)

    def rows(self) -> Iterator[Row | None]:
        """Yield every row; None for a row without ownership data."""
        makers = {
            "RECORDS": _iter_entities,
            "RELATIONSHIPS": _iter_relationships,
            "EXCEPTIONS": _iter_exemptions,
        }
        cells = _iter_checked_rows(self._reader, len(self._columns.header))
        yield from makers[self.kind](self._columns, cells)


def _file_kind_of_columns(columns: _Columns) -> Kind:
    if "Relationship.StartNode.NodeID" in columns.where:
        return "RELATIONSHIPS"
    if "Exception.Category" in columns.where:
        return "EXCEPTIONS"
    if "Entity.LegalName" in columns.where:
        return "RECORDS"
    raise Malformed("the header is not one of GLEIF's: LEI records, relationships, exceptions")


def _iter_checked_rows(reader: Iterator[list[str]], width: int) -> Iterator[list[str]]:
    number = 1
    try:
        for number, cells in enumerate(reader, start=2):
            # a row that was cut off, or a quote that swallowed others
            if len(cells) != width:
                raise Malformed(f"row {number} has {len(cells)} cells instead of {width}")
            cells.append("")
            yield cells
    except (csv.Error, UnicodeDecodeError) as error:
        raise Malformed(f"broken after row {number}: {error}") from error


def _iter_entities(columns: _Columns, rows: Iterator[list[str]]) -> Iterator[Entity]:
    lei, name = columns.at("LEI"), columns.at("Entity.LegalName")
    status = columns.at("Registration.RegistrationStatus")
    alive = columns.at("Entity.EntityStatus")
    where = columns.at("Entity.LegalJurisdiction")
    country = columns.at("Entity.LegalAddress.Country")
    headquarters = columns.maybe("Entity.HeadquartersAddress.Country")
    renewal = columns.at("Registration.NextRenewalDate")
    category = columns.maybe("Entity.EntityCategory")
    form = columns.maybe("Entity.LegalForm.EntityLegalFormCode")
    number = columns.maybe("Entity.RegistrationAuthority.RegistrationAuthorityEntityID")
    lou = columns.maybe("Registration.ManagingLOU")
    successor = columns.maybe("Entity.SuccessorEntity.1.SuccessorLEI")
    others, gone = columns.names(), columns.deleted()
    for row in rows:
        yield Entity(
            lei=row[lei],
            legal_name=row[name],
            registration_status=row[status],
            entity_status=row[alive],
            jurisdiction=row[where],
            country=row[country],
            category=row[category],
            legal_form=row[form],
            registered_as=row[number],
            managing_lou=row[lou],
            successor=row[successor],
            next_renewal=parse_gleif_day(row[renewal]),
            other_names=tuple(OtherName(row[at], row[kind]) for at, kind in others if row[at]),
            headquarters=row[headquarters],
            deleted=bool(row[gone]),
        )


def _iter_relationships(columns: _Columns, rows: Iterator[list[str]]) -> Iterator[Ownership | None]:
    child = columns.at("Relationship.StartNode.NodeID")
    parent = columns.at("Relationship.EndNode.NodeID")
    kind = columns.at("Relationship.RelationshipType")
    status = columns.at("Relationship.RelationshipStatus")
    periods = [
        tuple(
            columns.maybe(f"Relationship.Period.{number}.{part}")
            for part in ("periodType", "startDate", "endDate")
        )
        for number in range(1, 6)
    ]
    amount = columns.maybe("Relationship.Quantifiers.1.QuantifierAmount")
    units = columns.maybe("Relationship.Quantifiers.1.QuantifierUnits")
    gone = columns.deleted()
    for row in rows:
        spans = [
            (row[a], row[b]) for kind_at, a, b in periods if row[kind_at] == "RELATIONSHIP_PERIOD"
        ]
        since, until = spans[0] if spans else ("", "")
        yield build_ownership(
            row[child],
            row[parent],
            row[kind],
            status=row[status],
            since=parse_gleif_day(since),
            until=parse_gleif_day(until),
            deleted=bool(row[gone]),
            share=parse_percentage(row[amount], row[units]),
        )


def _iter_exemptions(columns: _Columns, rows: Iterator[list[str]]) -> Iterator[Exemption | None]:
    lei, category = columns.at("LEI"), columns.at("Exception.Category")
    reason, gone = columns.at("Exception.Reason.1"), columns.deleted()
    for row in rows:
        yield build_exemption(row[lei], row[category], row[reason], bool(row[gone]))
