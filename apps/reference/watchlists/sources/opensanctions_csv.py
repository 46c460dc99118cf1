"""OpenSanctions `targets.simple.csv`: one row per target, lists parted by semicolons."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.sources import dates
from apps.reference.watchlists.sources.entity_draft import EntityDraft
from apps.reference.watchlists.sources.ftm import SCHEMAS
from apps.reference.watchlists.sources.identifier_kinds import classify_identifier
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import (
    FormatError,
    read_csv_rows,
    read_named_rows,
)

REQUIRED = (
    "id",
    "schema",
    "name",
    "aliases",
    "birth_date",
    "countries",
    "addresses",
    "identifiers",
    "sanctions",
    "dataset",
    "first_seen",
)


def parse(files: Sequence[BinaryIO], options: ParseOptions) -> Iterator[ListedEntity]:
    """Yield the targets; the file does not say whether one is sanctioned, so the source does."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    rows = read_csv_rows(files[0])
    _, header = next(rows, (0, []))
    for row in read_named_rows(rows, header=header, required=REQUIRED):
        options.stated(row.get("last_seen", ""))
        word = row["schema"].strip()
        if word not in SCHEMAS:
            options.reading.strange(word)
        draft = EntityDraft(row["id"], SCHEMAS.get(word, "Unknown"), options.topic)
        draft.name(row["name"], "primary")
        for alias in row["aliases"].split(";"):
            draft.name(alias)
        for birth in row["birth_date"].split(";"):
            draft.birth(birth)
        for country in row["countries"].split(";"):
            draft.country(country)
        for address in row["addresses"].split(";"):
            draft.address(address)
        for value in row["identifiers"].split(";"):
            # the column does not say of what kind its values are
            kind, asset = classify_identifier(value.strip())
            draft.identifier(kind, value, asset=asset)
        for program in (row.get("program_ids") or "").split(";"):
            draft.program(program)
        for sanction in row["sanctions"].split(";"):
            draft.remark(sanction.strip('" '))
        draft.listed_on = dates.parse_date(row["first_seen"])
        yield from options.kept(draft.finish())
