"""Texts in columns between blanks, with comments behind `#`.

Options of a file: `day`, the numbers of the columns of the day, joined by `+`; `form`, how it is
written; `header`, the first word of a line that is passed over. Parameter of a series: `column`,
its number, the first one being 0.
"""

from collections.abc import Iterator, Sequence

from apps.signals.readers.days import day_of
from apps.signals.rows import Malformed, Row, param, text_of
from apps.signals.series.shape import Feed, Series


def read(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[Row]:
    """Yield the values of a text in columns; Malformed for a line with too few of them."""
    days = [int(place) for place in feed.options.get("day", "0").split("+")]
    places = [(row.name, int(param(row, "column"))) for row in wanted]
    needed = max([*days, *(place for _, place in places)]) + 1
    for line in text_of(body).splitlines():
        cells = line.split("#", 1)[0].split()
        if not cells or cells[0] == feed.options.get("header"):
            continue
        if len(cells) < needed:
            raise Malformed(f"{line.strip()[:30]!r} has fewer than {needed} columns")
        when = " ".join(cells[place] for place in days)
        for name, place in places:
            yield Row(name, day_of(when, feed.options.get("form", "iso")), cells[place])
