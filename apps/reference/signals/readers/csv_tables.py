"""Tables of comma-separated values with a header that names the columns.

Options of a file: `header`, the first cell of the header if other lines precede it; `after`, the
number of lines between header and values; `day`, the column (or columns, joined by `+`) of the day,
and `form`, its format (apps/reference/signals/readers/day_formats.py); `delimiter`; `short`, if the
header has fewer names than a line has cells, as when publishers add columns. Parameters of a
series: `column`, a name, or `@3` for the fourth cell; `where`, required values of other columns:
`FREQ=D&REF_AREA=U2`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from apps.platform.common.days import MONTH_NAMES
from apps.reference.signals.readers.day_formats import parse_day
from apps.reference.signals.row_parsing import (
    FileRow,
    Malformed,
    decode_text,
    find_column,
    iter_csv_cells,
    require_param,
)
from apps.reference.signals.series.definitions import Feed, Series


def read_csv_table(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the values of a table; Malformed for any breach of its shape."""
    options = feed.options
    lines = iter_csv_cells(decode_text(body).splitlines(), options.get("delimiter", ","))
    header = _find_header(lines, options.get("header", ""))
    days = [find_column(name, header) for name in options.get("day", "Date").split("+")]
    columns = [
        (row.name, _find_value_column(row, header), _parse_conditions(row, header))
        for row in wanted
    ]
    for cells in islice(lines, int(options.get("after", "0")), None):
        if not any(cells):
            continue
        # cells under no name would be read by the wrong one
        if len(cells) != len(header) and not ("short" in options and len(cells) > len(header)):
            raise Malformed(f"{cells[0][:20]!r}: {len(cells)} cells under {len(header)} names")
        when = " ".join(cells[place] for place in days)
        held_columns = [
            column for column in columns if all(cells[p] == text for p, text in column[2].items())
        ]
        for name, place, _ in held_columns:
            yield FileRow(name, parse_day(when, options.get("form", "iso")), cells[place])


def _find_header(lines: Iterator[list[str]], first: str) -> list[str]:
    header = next((cells for cells in lines if cells and first in ("", cells[0])), None)
    if header is None:
        raise Malformed(f"no line begins with {first!r}" if first else "the file is empty")
    return header


def _find_value_column(row: Series, header: Sequence[str]) -> int:
    column = require_param(row, "column")
    if not column.startswith("@"):
        return find_column(column, header)
    place = int(column[1:])
    if place >= len(header):
        raise Malformed(f"cell {column} is missing")
    return place


def _parse_conditions(row: Series, header: Sequence[str]) -> Mapping[int, str]:
    conditions = [part.split("=", 1) for part in row.params.get("where", "").split("&") if part]
    return {find_column(name, header): text for name, text in conditions}


def read_year_grid(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield monthly values of a grid with one line per year and one column per month.

    The header begins with `Year` and may follow a title; other columns are ignored.
    """
    lines = iter_csv_cells(decode_text(body).splitlines())
    header = _find_header(lines, "Year")
    places = [
        (number, find_column(name, header)) for number, name in enumerate(MONTH_NAMES, start=1)
    ]
    (row,) = wanted
    for cells in lines:
        if not any(cells):
            continue
        if len(cells) != len(header):
            raise Malformed(f"{cells[0][:20]!r}: {len(cells)} cells under {len(header)} names")
        for number, place in places:
            yield FileRow(row.name, parse_day(f"{cells[0]} {number}", "parts"), cells[place])


def read_vintage_matrix(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the newest vintage of a matrix: a column for each vintage, the last one the newest.

    A header that is not `Jan-22` and so on (it was once turned into numbers of days) is refused.
    """
    lines = iter_csv_cells(decode_text(body).splitlines())
    header = _find_header(lines, "Date")
    last = max((place for place, name in enumerate(header) if name), default=0)
    # the name of the newest vintage must be a month, such as `Sep-26`
    parse_day(f"1-{header[last][:4]}20{header[last][4:]}", "named")
    (row,) = wanted
    for cells in lines:
        if not any(cells):
            continue
        if len(cells) <= last:
            raise Malformed(f"{cells[0][:20]!r}: {len(cells)} cells under {len(header)} names")
        yield FileRow(row.name, parse_day(cells[0], "named"), cells[last])
