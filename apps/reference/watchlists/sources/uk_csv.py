"""UK Sanctions List, CSV (FCDO): a "Report Date" line, a header, one row per name variant.

The list replaces OFSI's consolidated list, which ended on 2026-01-28.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import BinaryIO

from apps.reference.watchlists.listed_entity import ListedEntity, Schema
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.identifier_kinds import (
    is_false_document,
    is_lei_value,
    parse_imo_number,
)
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    detect_encoding,
    drop_empty_cells,
    group_rows_by_key,
    read_csv_rows,
    read_named_rows,
)

ID = "Unique ID"
TYPES = ("Designation Type", "Individual, Entity, Ship")  # the column has had both names
REQUIRED = (ID, "Name 6", "Name 1", "Name type", "Regime Name")
PREAMBLE = 5  # lines before the header, at most
SCHEMAS: dict[str, Schema] = {"individual": "Person", "entity": "Organization", "ship": "Vessel"}
ADDRESS = tuple(f"Address Line {number}" for number in range(1, 7))

_NUMBERED = re.compile(r"\s*\(\d+\)\s*")


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the designated parties, their rows gathered by Unique ID."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    rows = read_csv_rows(files[0], encoding=detect_encoding(files[0], options))
    header = _read_header(rows, options)
    # the first name if neither is there, so that the error names a column
    kind = next((name for name in TYPES if name in header), TYPES[0])
    named = read_named_rows(rows, header=header, required=(*REQUIRED, kind))
    for unique_id, group in group_rows_by_key(_iter_keyed_rows(named, options)):
        word = group[0].get(kind, "")
        if word.lower() not in SCHEMAS:
            options.reading.strange(word)
        draft = EntityDraft(unique_id, SCHEMAS.get(word.lower(), "Unknown"))
        draft.listed_on = dates.parse_date(group[0].get("Date Designated", ""))
        for row in group:
            _add_names(draft, row)
            _add_facts(draft, row)
        yield from options.kept(draft.finish())


def _iter_keyed_rows(
    named: Iterable[Mapping[str, str]], options: ParseOptions
) -> Iterator[tuple[str, dict[str, str]]]:
    for row in named:
        if row[ID].strip():
            yield row[ID].strip(), drop_empty_cells(row)
        else:
            options.reading.losses["dropped"] += 1


def _read_header(rows: Iterator[tuple[int, list[str]]], options: ParseOptions) -> list[str]:
    header: list[str] = []
    for _, row in islice(rows, PREAMBLE + 1):
        header = [cell.strip() for cell in row]
        if ID in header:
            return header
        if header and header[0].startswith("Report Date"):
            options.stated(" ".join(header).removeprefix("Report Date").strip(" :"))
    raise FormatError(f"expected a header with {ID!r}, found {', '.join(header)[:300]!r}")


def _add_names(draft: EntityDraft, row: Mapping[str, str]) -> None:
    # Name 6 is the family name, or the whole name of an entity or ship.
    parts = [row.get(f"Name {number}", "") for number in range(1, 7)]
    kind = "primary" if row.get("Name type", "").lower() == "primary name" else "alias"
    weak = "low" in row.get("Alias strength", "").lower()
    draft.name(" ".join(filter(None, parts)), kind, weak=weak)
    draft.name(row.get("Name non-latin script"))


def _add_facts(draft: EntityDraft, row: Mapping[str, str]) -> None:
    draft.program(row.get("Regime Name"))
    draft.address(*(row.get(line) for line in ADDRESS), row.get("Address Postal Code"))
    for column in ("Address Country", "Nationality(/ies)", "Current believed flag of ship"):
        for country in _split_numbered_values(row.get(column, "")):
            draft.country(country)
    for birth in _split_numbered_values(row.get("D.O.B", "")):
        draft.birth(birth)
    passports = _split_numbered_values(row.get("Passport number", ""))
    numbered_values = _split_numbered_values(row.get("Passport additional information", ""))
    # what is said of one of several is numbered as they are
    passport_details = (
        numbered_values if len(numbered_values) == len(passports) else [""] * len(passports)
    )
    for number, words in zip(passports, passport_details, strict=True):
        draft.identifier("passport", number, known_false=is_false_document(words))
    for column, kind in (
        ("National Identifier number", "national_id"),
        ("Business registration number (s)", "registration"),
    ):
        for number in _split_numbered_values(row.get(column, "")):
            draft.identifier("lei" if is_lei_value(number) else kind, number)
    for number in _split_numbered_values(row.get("IMO number", "")):
        draft.identifier("imo" if parse_imo_number(number) else "other", number)
    draft.sex(row.get("Gender"))
    for measure in re.split(r"[|;]", row.get("Sanctions Imposed", "")):
        draft.measure(measure)
    for column in ("Position", "Other Information", "UN Reference Number", "OFSI Group ID"):
        draft.remark(row.get(column))


def _split_numbered_values(cell: str) -> list[str]:
    """Return the values of a cell that numbers them, `(1) Syria (2) Iraq`."""
    return [value for part in cell.split("|") for value in _NUMBERED.split(part) if value]
