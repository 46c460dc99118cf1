"""What readers give, and helpers that several of them share. Pure."""

import csv
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from apps.reference.signals.series.definitions import Series


class Malformed(ValueError):
    """The file breaks the format; nothing of it is used."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One value of a file, unparsed; `text` may be a mark for a missing one.

    Without a `day` it is of the day on which it was fetched.
    """

    series: str
    day: date | None
    text: str


def decode_text(body: bytes, encoding: str = "utf-8-sig") -> str:
    """Return the text of a file; Malformed for one that is not in its encoding."""
    try:
        return body.decode(encoding)
    except UnicodeDecodeError as error:
        raise Malformed("the file is not UTF-8") from error


def iter_csv_cells(lines: Sequence[str], delimiter: str = ",") -> Iterator[list[str]]:
    """Yield the cells of each line, stripped; Malformed where quoting breaks."""
    # strict: a stray quote is an error, not a part of the text
    reader = csv.reader(lines, strict=True, delimiter=delimiter, skipinitialspace=True)
    try:
        for cells in reader:
            yield [cell.strip() for cell in cells]
    except csv.Error as error:
        raise Malformed(f"line {reader.line_num}: {error}") from error


def find_column(name: str, header: Sequence[str]) -> int:
    """Return the position of a column; Malformed unless exactly one has the name."""
    places = [place for place, column in enumerate(header) if column == name]
    if len(places) != 1:
        text = "is missing" if not places else "appears twice"
        raise Malformed(f"column {name!r} {text}")
    return places[0]


def require_param(row: Series, name: str) -> str:
    """Return a parameter of a row; Malformed where the row lacks it (`check` says so before)."""
    try:
        return row.params[name]
    except KeyError:
        raise Malformed(f"{row.name} does not define its {name}") from None


def last_day_of_month(year: int, month: int) -> date:
    """Return the last day of a month: what a monthly figure is dated. Malformed for none."""
    try:
        return date(year, month, monthrange(year, month)[1])
    except ValueError as error:
        raise Malformed(f"{year}-{month} is not a month") from error
