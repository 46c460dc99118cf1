"""Formats of publishers' files: `read(body, feed, wanted) -> Iterable[Row]`, pure, one for each.

A reader finds the wanted series in a file by the names of columns or keys and hands on the days
and the text of the values as they stand there; what they may be is judged in one place
(signals/drift.py). What it does not expect is Malformed, and then nothing of the file is used.
A new format is a module here and a line of READERS.
"""

from collections.abc import Callable, Iterable, Sequence

from django.utils.module_loading import import_string

from apps.reference.signals.file_rows import FileRow, Malformed
from apps.reference.signals.series.definitions import Feed, Series

__all__ = ["READERS", "FileRow", "Malformed", "find_reader"]

READERS: dict[str, str] = {
    "charts": "apps.reference.signals.readers.json_documents.read_nowcast_charts",
    "csv": "apps.reference.signals.readers.csv_tables.read_csv_table",
    "csv_grid": "apps.reference.signals.readers.csv_tables.read_year_grid",
    "csv_vintages": "apps.reference.signals.readers.csv_tables.read_vintage_matrix",
    "ecb_rates": "apps.reference.signals.readers.ecb_rates.read_ecb_rates",
    "json": "apps.reference.signals.readers.json_documents.read_json_document",
    "power": "apps.reference.signals.readers.nasa_power.read_nasa_power",
    "sdmx_zip": "apps.reference.signals.readers.sdmx_releases.read_sdmx_release",
    "treasury_rates": "apps.reference.signals.readers.treasury_rates.read_treasury_rates",
    "text": "apps.reference.signals.readers.text_columns.read_text_columns",
    "xlsx": "apps.reference.signals.readers.spreadsheets.read_spreadsheet",
}
Read = Callable[[bytes, Feed, Sequence[Series]], Iterable[FileRow]]


def find_reader(feed: Feed) -> Read:
    """Return the parser of a file; KeyError for a format that is not known."""
    return import_string(READERS[feed.reader])
