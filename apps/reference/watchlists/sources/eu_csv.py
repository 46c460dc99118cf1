"""EU consolidated financial sanctions list (FSF), CSV 1.1: `;`-separated, UTF-8 with BOM.

One row holds one name, address, birth date, identification or citizenship of an entity and
repeats the entity's own columns. Format: European Commission, Financial Sanctions Files.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.eu_terms import (
    Get,
    add_address,
    add_birth,
    add_country,
    add_identification,
    add_name,
    schema_of_subject_type,
)
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    drop_empty_cells,
    group_rows_by_key,
    read_csv_rows,
    read_named_rows,
)

REQUIRED = (
    "Entity_LogicalId",
    "Entity_SubjectType",
    "Entity_Regulation_Programme",
    "NameAlias_WholeName",
)
# columns that are not called as their attributes of the XML form
COLUMNS = {
    ("BirthDate", "birthdate"): "BirthDate",
    ("BirthDate", "dayOfMonth"): "Day",
    ("BirthDate", "monthOfYear"): "Month",
    ("Identification", "identificationTypeCode"): "TypeCode",
    ("Identification", "identificationTypeDescription"): "TypeDescription",
}


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the entities of the list, their rows gathered by Entity_LogicalId."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    rows = read_csv_rows(files[0], delimiter=";")
    _, header = next(rows, (0, []))
    named = read_named_rows(rows, header=header, required=REQUIRED)
    for logical_id, group in group_rows_by_key(_iter_keyed_rows(named, options)):
        first = group[0]
        subject = first.get("Entity_SubjectType_ClassificationCode") or first.get(
            "Entity_SubjectType", ""
        )
        draft = EntityDraft(logical_id, schema_of_subject_type(subject, options))
        draft.listed_on = dates.parse_date(first.get("Entity_DesignationDate", ""))
        for row in group:
            add_name(draft, _build_column_reader(row, "NameAlias"))
            draft.program(row.get("Entity_Regulation_Programme"))
            add_country(draft, _build_column_reader(row, "Citizenship"))
            add_address(draft, _build_column_reader(row, "Address"))
            add_birth(draft, _build_column_reader(row, "BirthDate"))
            add_identification(draft, _build_column_reader(row, "Identification"))
            draft.remark(row.get("Entity_Remark"))
            draft.remark(row.get("Entity_EU_ReferenceNumber"))
        yield from options.kept(draft.finish())


def _iter_keyed_rows(
    named: Iterable[Mapping[str, str]], options: ParseOptions
) -> Iterator[tuple[str, dict[str, str]]]:
    for number, row in enumerate(named):
        if not number:
            options.stated(row.get("fileGenerationDate", ""))
        if row["Entity_LogicalId"].strip():
            yield row["Entity_LogicalId"], drop_empty_cells(row)
        else:
            options.reading.losses["dropped"] += 1


def _build_column_reader(row: Mapping[str, str], part: str) -> Get:
    """Return how the attributes of a part are read from its columns: `BirthDate_YearRangeFrom`."""

    def get(attribute: str) -> str:
        column = COLUMNS.get((part, attribute), attribute[0].upper() + attribute[1:])
        return row.get(f"{part}_{column}", "")

    return get
