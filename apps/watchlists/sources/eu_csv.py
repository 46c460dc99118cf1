"""EU consolidated financial sanctions list (FSF), CSV 1.1: `;`-separated, UTF-8 with BOM.

One row holds one name, address, birth date, identification or citizenship of an entity and
repeats the entity's own columns. Format: European Commission, Financial Sanctions Files.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

from apps.watchlists.sources import dates
from apps.watchlists.sources.draft import Draft
from apps.watchlists.sources.eu_terms import document_kind, schema_of
from apps.watchlists.sources.options import Options
from apps.watchlists.sources.reading import FormatError, csv_rows, grouped, named_rows
from apps.watchlists.values import ListedEntity

REQUIRED = (
    "Entity_LogicalId",
    "Entity_SubjectType",
    "Entity_Regulation_Programme",
    "NameAlias_WholeName",
)


def parse(files: Sequence[BinaryIO], options: Options) -> Iterator[ListedEntity]:
    """Yield the entities of the list, their rows gathered by Entity_LogicalId."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    rows = csv_rows(files[0], delimiter=";")
    _, header = next(rows, (0, []))
    named = named_rows(rows, header=header, required=REQUIRED)
    for logical_id, group in grouped(_keyed(named, options)):
        yield from options.kept(_entity(logical_id, group, options))


def _keyed(
    named: Iterable[Mapping[str, str]], options: Options
) -> Iterator[tuple[str, dict[str, str]]]:
    for number, row in enumerate(named):
        if not number:
            options.stated(row.get("fileGenerationDate", ""))
        if row["Entity_LogicalId"].strip():
            yield row["Entity_LogicalId"], _short(row)
        else:
            options.reading.losses["dropped"] += 1


def _entity(
    logical_id: str, rows: Sequence[Mapping[str, str]], options: Options
) -> ListedEntity | None:
    first = rows[0]
    subject = first.get("Entity_SubjectType_ClassificationCode") or first.get(
        "Entity_SubjectType", ""
    )
    draft = Draft(logical_id, schema_of(subject, options))
    draft.listed_on = dates.single(first.get("Entity_DesignationDate", ""))
    for row in rows:
        _row(draft, row)
    return draft.finish()


def _row(draft: Draft, row: Mapping[str, str]) -> None:
    get = row.get
    parts = (get("NameAlias_FirstName"), get("NameAlias_MiddleName"), get("NameAlias_LastName"))
    whole = get("NameAlias_WholeName") or " ".join(filter(None, parts))
    draft.name(whole, weak=get("NameAlias_Strong", "").lower() == "false")
    draft.sex(get("NameAlias_Gender"))
    draft.program(get("Entity_Regulation_Programme"))
    draft.country(get("Citizenship_CountryIso2Code") or get("Citizenship_CountryDescription"))
    draft.country(get("Address_CountryIso2Code") or get("Address_CountryDescription"))
    draft.address(
        get("Address_Street"),
        get("Address_City"),
        get("Address_ZipCode"),
        get("Address_CountryDescription"),
    )
    circa = "circa " if get("BirthDate_Circa", "").lower() == "true" else ""
    draft.birth(circa + (get("BirthDate_BirthDate") or get("BirthDate_Year") or ""))
    if number := get("Identification_Number"):
        code, description = get("Identification_TypeCode"), get("Identification_TypeDescription")
        country = get("Identification_CountryIso2Code", "")
        draft.identifier(document_kind(code, description, number), number, country)
    draft.remark(get("NameAlias_Function"))
    draft.remark(get("Entity_Remark"))
    draft.remark(get("Entity_EU_ReferenceNumber"))


def _short(row: Mapping[str, str]) -> dict[str, str]:
    return {column: value.strip() for column, value in row.items() if value.strip()}
