"""Readers of publishers' files: `read(body, feed, wanted) -> Iterable[Row]`, one per format. Pure.

A reader finds the wanted series in a file by column names or keys and yields the days and the
unparsed values; they are validated in one place (signals/format_drift.py). Unexpected content is
Malformed, and then nothing of the file is used. A new format is a module here and a line of
READERS.
"""

from collections.abc import Callable, Iterable, Sequence

from apps.reference.signals.readers.csv_tables import (
    read_csv_table,
    read_vintage_matrix,
    read_year_grid,
)
from apps.reference.signals.readers.ecb_rates import read_ecb_rates
from apps.reference.signals.readers.json_documents import read_json_document, read_nowcast_charts
from apps.reference.signals.readers.nasa_power import read_nasa_power
from apps.reference.signals.readers.sdmx_releases import read_sdmx_release
from apps.reference.signals.readers.spreadsheets import read_spreadsheet
from apps.reference.signals.readers.text_columns import read_text_columns
from apps.reference.signals.readers.treasury_rates import read_treasury_rates
from apps.reference.signals.row_parsing import FileRow, Malformed
from apps.reference.signals.series.definitions import Feed, Series

__all__ = ["READERS", "FileRow", "Malformed", "find_reader"]

Read = Callable[[bytes, Feed, Sequence[Series]], Iterable[FileRow]]

READERS: dict[str, Read] = {
    "charts": read_nowcast_charts,
    "csv": read_csv_table,
    "csv_grid": read_year_grid,
    "csv_vintages": read_vintage_matrix,
    "ecb_rates": read_ecb_rates,
    "json": read_json_document,
    "power": read_nasa_power,
    "sdmx_zip": read_sdmx_release,
    "treasury_rates": read_treasury_rates,
    "text": read_text_columns,
    "xlsx": read_spreadsheet,
}


def find_reader(feed: Feed) -> Read:
    """Return the parser of a file; KeyError for a format that is not known."""
    return READERS[feed.reader]
