"""OpenSanctions `targets.simple.csv`: one row per target, lists parted by semicolons."""

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from apps.watchlists.sources import dates
from apps.watchlists.sources.draft import Draft
from apps.watchlists.sources.ftm import SCHEMAS
from apps.watchlists.sources.identifiers import kind_of
from apps.watchlists.sources.options import Options
from apps.watchlists.sources.reading import FormatError, csv_rows, named_rows
from apps.watchlists.values import ListedEntity

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


def parse(files: Sequence[BinaryIO], options: Options) -> Iterator[ListedEntity]:
    """Yield the targets; the file does not say whether one is sanctioned, so the source does."""
    if len(files) != 1:
        raise FormatError(f"expected one file, found {len(files)}")
    rows = csv_rows(files[0])
    _, header = next(rows, (0, []))
    for row in named_rows(rows, header=header, required=REQUIRED):
        options.stated(row.get("last_seen", ""))
        yield from options.kept(_entity(row, options))


def _entity(row: Mapping[str, str], options: Options) -> ListedEntity | None:
    word = row["schema"].strip()
    if word not in SCHEMAS:
        options.reading.strange(word)
    draft = Draft(row["id"], SCHEMAS.get(word, "Unknown"), options.topic)
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
        kind, asset = kind_of(value.strip())
        draft.identifier(kind, value, asset=asset)
    for program in (row.get("program_ids") or "").split(";"):
        draft.program(program)
    for sanction in row["sanctions"].split(";"):
        draft.remark(sanction.strip('" '))
    draft.listed_on = dates.single(row["first_seen"])
    return draft.finish()
