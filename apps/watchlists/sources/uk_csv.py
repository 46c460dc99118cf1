"""UK Sanctions List, CSV (FCDO): a "Report Date" line, a header, one row per name variant.

The list replaces OFSI's consolidated list, which ended on 2026-01-28.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import BinaryIO

from apps.watchlists.sources import dates
from apps.watchlists.sources.draft import Draft
from apps.watchlists.sources.identifiers import imo_number, is_lei
from apps.watchlists.sources.options import Options
from apps.watchlists.sources.reading import FormatError, csv_rows, encoding_of, grouped, named_rows
from apps.watchlists.values import ListedEntity, Schema

ID = "Unique ID"
TYPES = ("Designation Type", "Individual, Entity, Ship")  # the column has had both names
REQUIRED = (ID, "Name 6", "Name 1", "Name type", "Regime Name")
PREAMBLE = 5  # lines before the header, at most
SCHEMAS: dict[str, Schema] = {"individual": "Person", "entity": "Organization", "ship": "Vessel"}
ADDRESS = tuple(f"Address Line {number}" for number in range(1, 7))

_NUMBERED = re.compile(r"\s*\(\d+\)\s*")


def parse(files: Sequence[BinaryIO], options: Options) -> Iterator[ListedEntity]:
    """Yield the designated parties, their rows gathered by Unique ID."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    rows = csv_rows(files[0], encoding=encoding_of(files[0], options))
    header = _header(rows, options)
    kind = next((name for name in TYPES if name in header), TYPES[0])
    named = named_rows(rows, header=header, required=(*REQUIRED, kind))
    for unique_id, group in grouped(_keyed(named, options)):
        yield from options.kept(_entity(unique_id, group, kind, options))


def _keyed(
    named: Iterable[Mapping[str, str]], options: Options
) -> Iterator[tuple[str, dict[str, str]]]:
    for row in named:
        if row[ID].strip():
            yield row[ID].strip(), _short(row)
        else:
            options.reading.losses["dropped"] += 1


def _header(rows: Iterator[tuple[int, list[str]]], options: Options) -> list[str]:
    found: list[str] = []
    for _, row in islice(rows, PREAMBLE + 1):
        found = [cell.strip() for cell in row]
        if ID in found:
            return found
        if found and found[0].startswith("Report Date"):
            options.stated(" ".join(found).removeprefix("Report Date").strip(" :"))
    raise FormatError(f"expected a header with {ID!r}, found {', '.join(found)[:300]!r}")


def _entity(
    unique_id: str, rows: Sequence[Mapping[str, str]], kind: str, options: Options
) -> ListedEntity | None:
    word = rows[0].get(kind, "")
    if word.lower() not in SCHEMAS:
        options.reading.strange(word)
    draft = Draft(unique_id, SCHEMAS.get(word.lower(), "Unknown"))
    draft.listed_on = dates.single(rows[0].get("Date Designated", ""))
    for row in rows:
        _names(draft, row)
        _facts(draft, row)
    return draft.finish()


def _names(draft: Draft, row: Mapping[str, str]) -> None:
    # Name 6 is the family name, or the whole name of an entity or ship.
    parts = [row.get(f"Name {number}", "") for number in range(1, 7)]
    kind = "primary" if row.get("Name type", "").lower() == "primary name" else "alias"
    weak = "low" in row.get("Alias strength", "").lower()
    draft.name(" ".join(filter(None, parts)), kind, weak=weak)
    draft.name(row.get("Name non-latin script"))


def _facts(draft: Draft, row: Mapping[str, str]) -> None:
    draft.program(row.get("Regime Name"))
    draft.address(*(row.get(line) for line in ADDRESS), row.get("Address Postal Code"))
    for column in ("Address Country", "Nationality(/ies)", "Current believed flag of ship"):
        for country in _several(row.get(column, "")):
            draft.country(country)
    for birth in _several(row.get("D.O.B", "")):
        draft.birth(birth)
    for column, kind in (
        ("Passport number", "passport"),
        ("National Identifier number", "national_id"),
        ("Business registration number (s)", "registration"),
    ):
        for number in _several(row.get(column, "")):
            draft.identifier("lei" if is_lei(number) else kind, number)
    for number in _several(row.get("IMO number", "")):
        draft.identifier("imo" if imo_number(number) else "other", number)
    draft.sex(row.get("Gender"))
    for column in ("Position", "Other Information", "UN Reference Number", "OFSI Group ID"):
        draft.remark(row.get(column))


def _several(cell: str) -> list[str]:
    """Return the values of a cell that numbers them, `(1) Syria (2) Iraq`."""
    return [value for part in cell.split("|") for value in _NUMBERED.split(part) if value]


def _short(row: Mapping[str, str]) -> dict[str, str]:
    return {column: value.strip() for column, value in row.items() if value.strip()}
