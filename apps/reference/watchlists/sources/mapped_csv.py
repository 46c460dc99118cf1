"""In-house lists: CSV with any column names, given a mapping; several rows may make one entity."""

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, get_args

from apps.reference.watchlists.listed_entity import ListedEntity, Schema, Topic
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.identifier_kinds import parse_imo_number
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    group_rows_by_key,
    read_csv_rows,
)

REQUIRED = ("entity_id", "name")
PLAIN = ("schema", "name_type", "aliases", "country", "program", "birth_date", "topic", "gender")
OFFICE = ("position", "position_country", "since", "until")
TEXTS = ("address", "listed_on", "remarks", "asset")
IDENTIFIERS = ("lei", "imo", "bic", "wallet", "passport", "national_id", "tax_id", "registration")
FIELDS = (*REQUIRED, *PLAIN, *OFFICE, *TEXTS, *IDENTIFIERS)
SEPARATOR = ";"  # parts several countries, birth dates, identifiers in one cell

SCHEMAS: dict[str, Schema] = {
    **{schema.lower(): schema for schema in get_args(Schema)},
    "individual": "Person",
    "company": "Organization",
    "entity": "Organization",
    "ship": "Vessel",
    "airplane": "Aircraft",
    "": "Unknown",
}


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the entities of all files, with their rows grouped by entity id.

    A field is read from the column that `options.columns` names, else from the one of its own
    name. An unknown schema or topic is a FormatError, an unknown country is left out; where no
    schema is given, politically exposed parties are persons.
    """
    if unknown := sorted(set(options.columns) - set(FIELDS)):
        raise FormatError(f"expected fields among {', '.join(FIELDS)}; found {', '.join(unknown)}")
    for entity_id, rows in group_rows_by_key(_iter_keyed_rows(files, options)):
        first = rows[0]
        topic = first.get("topic", options.topic).lower()
        if topic not in get_args(Topic):
            raise FormatError(f"expected a topic of {get_args(Topic)}, found {topic[:40]!r}")
        bare = "person" if topic == "pep" else ""
        draft = EntityDraft(entity_id, _parse_schema(first.get("schema", bare)), topic)  # type: ignore[arg-type]
        for row in rows:
            _add_row(draft, row)
        yield from options.kept(draft.finish())


def _iter_keyed_rows(
    files: Sequence[BinaryIO], options: ParseOptions
) -> Iterator[tuple[str, dict[str, str]]]:
    if not files:
        raise FormatError("expected at least one CSV file, found none")
    for stream in files:
        rows = read_csv_rows(stream)
        _, header = next(rows, (0, []))
        # reversed: of two columns with one name the first is read
        places_by_column = {
            column.strip().casefold(): at for at, column in reversed(list(enumerate(header)))
        }
        places = {}
        for field in FIELDS:
            column_name = options.columns.get(field, field).strip().casefold()
            if column_name in places_by_column:
                places[field] = places_by_column[column_name]
            elif field in options.columns or field in REQUIRED:
                listed = ", ".join(header)[:500]
                raise FormatError(
                    f"expected the column {column_name!r} for {field}, found: {listed}"
                )
        for line, row in rows:
            if len(row) != len(header):
                raise FormatError(f"expected {len(header)} fields at line {line}, found {len(row)}")
            fields = {field: row[at].strip() for field, at in places.items() if row[at].strip()}
            if not fields.get("entity_id"):
                raise FormatError(f"expected an entity id at line {line}, found none")
            yield fields["entity_id"], fields


def _add_row(draft: EntityDraft, row: Mapping[str, str]) -> None:
    kind, weak = _parse_name_type(row.get("name_type", "").lower())
    draft.name(row.get("name"), kind, weak=weak)
    for alias in _split_cell(row, "aliases"):
        draft.name(alias)
    for country in _split_cell(row, "country"):
        draft.country(country)
    for birth in _split_cell(row, "birth_date"):
        draft.birth(birth)
    for program in _split_cell(row, "program"):
        draft.program(program)
    office = [row.get(field, "") for field in OFFICE]
    draft.position(office[0], office[1] or row.get("country", ""), office[2], office[3])
    for field in IDENTIFIERS:
        for value in _split_cell(row, field):
            kind = "other" if field == "imo" and not parse_imo_number(value) else field
            draft.identifier(kind, value, asset=row.get("asset", "") if field == "wallet" else "")
    draft.address(row.get("address"))
    draft.remark(row.get("remarks"))
    draft.sex(row.get("gender"))
    draft.listed_on = draft.listed_on or dates.parse_date(row.get("listed_on", ""))


def _split_cell(row: Mapping[str, str], field: str) -> list[str]:
    return row[field].split(SEPARATOR) if field in row else []


def _parse_schema(text: str) -> Schema:
    if schema := SCHEMAS.get(text.strip().lower()):
        return schema
    known = ", ".join(filter(None, SCHEMAS))
    raise FormatError(f"expected a schema among {known}; found {text[:40]!r}")


def _parse_name_type(text: str) -> tuple[str, bool]:
    """Return (kind, weak); a type that is not known makes an alias, so that no name is lost."""
    weak = "weak" in text or "low" in text
    if text in ("primary", "main"):
        return "primary", weak
    former = text.startswith(("former", "previous", "fka", "f.k.a"))
    return "former" if former else "alias", weak
