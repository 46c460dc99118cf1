"""Formats of publishers' files: `read(body, feed, wanted) -> Iterable[Row]`, pure, one for each.

A reader finds the wanted series in a file by the names of columns or keys and hands on the days
and the text of the values as they stand there; what they may be is judged in one place
(apps/signals/drift.py). What it does not expect is Malformed, and then nothing of the file is used.
A new format is a module here and a line of READERS.
"""

from collections.abc import Callable, Iterable, Sequence

from django.utils.module_loading import import_string

from apps.signals.rows import Malformed, Row
from apps.signals.series.shape import Feed, Series

__all__ = ["READERS", "Malformed", "Row", "reader_of"]

READERS: dict[str, str] = {
    "charts": "apps.signals.readers.documents.charts",
    "csv": "apps.signals.readers.tables.read",
    "csv_grid": "apps.signals.readers.tables.grid",
    "csv_vintages": "apps.signals.readers.tables.matrix",
    "ecb_rates": "apps.signals.readers.ecb_rates.read",
    "json": "apps.signals.readers.documents.read",
    "power": "apps.signals.readers.power.read",
    "sdmx_zip": "apps.signals.readers.releases.read",
    "text": "apps.signals.readers.texts.read",
    "xlsx": "apps.signals.readers.sheets.read",
}
Read = Callable[[bytes, Feed, Sequence[Series]], Iterable[Row]]


def reader_of(feed: Feed) -> Read:
    """Return the parser of a file; KeyError for a format that is not known."""
    return import_string(READERS[feed.reader])
