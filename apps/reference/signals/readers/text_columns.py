"""Texts in columns between blanks, with comments behind `#`.

Options of a file: `day`, the numbers of the columns of the day, joined by `+`; `form`, how it is
written; `header`, the first word of a line that is passed over. Parameter of a series: `column`,
its number, the first one being 0.
"""

from collections.abc import Iterator, Sequence

from apps.reference.signals.readers.day_formats import parse_day
from apps.reference.signals.row_parsing import FileRow, Malformed, decode_text, require_param
from apps.reference.signals.series.definitions import Feed, Series


def read_text_columns(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the values of a text in columns; Malformed for a line with too few of them."""
    days = [int(place) for place in feed.options.get("day", "0").split("+")]
    places = [(row.name, int(require_param(row, "column"))) for row in wanted]
    needed = max([*days, *(place for _, place in places)]) + 1
    for line in decode_text(body).splitlines():
        # NOAA puts comments, some with figures in them, behind `#`
        cells = line.split("#", 1)[0].split()
        if not cells or cells[0] == feed.options.get("header"):
            continue
        if len(cells) < needed:
            raise Malformed(f"{line.strip()[:30]!r} has fewer than {needed} columns")
        when = " ".join(cells[place] for place in days)
        for name, place in places:
            yield FileRow(name, parse_day(when, feed.options.get("form", "iso")), cells[place])
