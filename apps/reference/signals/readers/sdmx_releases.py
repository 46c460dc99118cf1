"""Whole releases of the Federal Reserve Board: a ZIP with one file of SDMX-ML in it.

Parameter of a series: `name`, its SERIES_NAME. An observation with a status other than `A` is none.
"""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse

from apps.reference.signals.readers.day_formats import parse_day
from apps.reference.signals.row_parsing import FileRow, Malformed, require_param
from apps.reference.signals.series.definitions import Feed, Series

LONGEST, DEEPEST = 200_000, 20  # parts of a series, and parts within parts
LARGEST = 600 * 1024 * 1024  # bytes of the unpacked release
# what zipfile raises for damaged archives
UNREADABLE_ERRORS = (
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)


def read_sdmx_release(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the values of the requested series; Malformed for anything but a release."""
    names = {require_param(row, "name"): row.name for row in wanted}
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            zip_infos = [info for info in book.infolist() if info.filename.endswith("_data.xml")]
            if len(zip_infos) != 1 or zip_infos[0].file_size > LARGEST:
                raise Malformed("the release has no data file, several, or one that is too large")
            with book.open(zip_infos[0]) as stream:
                yield from _iter_release_rows(stream, names)
    except (zipfile.BadZipFile, ParseError, DefusedXmlException, EOFError) as error:
        raise Malformed("the file is not a release") from error
    except Malformed:
        raise
    except UNREADABLE_ERRORS as error:
        raise Malformed("the release cannot be unpacked") from error


def _iter_release_rows(stream: Any, names: dict[str, str]) -> Iterator[FileRow]:
    """Yield the values of the named series, forgetting each part of the document as it ends."""
    above: list[Any] = []
    inside = 0  # the parts of a series that is being read
    for event, element in iterparse(stream, events=("start", "end")):
        is_series = _local_tag(element) == "Series"
        if event == "start":
            above.append(element)
            inside += bool(inside or is_series)
            if len(above) > DEEPEST or inside > LONGEST:
                raise Malformed("a series of the release is too long, or too deep")
            continue
        above.pop()
        if is_series:
            yield from _iter_series_values(element, names)
            inside = 0
        if not inside and above:
            # a whole release as a tree would take gigabytes
            above[-1].remove(element)


def _iter_series_values(element: Any, names: dict[str, str]) -> Iterator[FileRow]:
    name = names.get(element.get("SERIES_NAME", ""))
    for observation in element if name else ():
        if _local_tag(observation) == "Obs" and observation.get("OBS_STATUS", "A") == "A":
            day = parse_day(observation.get("TIME_PERIOD", ""), "iso")
            yield FileRow(str(name), day, observation.get("OBS_VALUE", ""))


def _local_tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]
