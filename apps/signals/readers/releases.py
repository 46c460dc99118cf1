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

from apps.signals.readers.days import day_of
from apps.signals.rows import Malformed, Row, param
from apps.signals.series.shape import Feed, Series

LONGEST, DEEPEST = 200_000, 20  # parts of a series, and parts within parts
LARGEST = 600 * 1024 * 1024  # bytes of the unpacked release
# what zipfile raises for packed files that are bent
BENT = (OSError, NotImplementedError, RuntimeError, ValueError, struct.error, zlib.error)


def read(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[Row]:
    """Yield the values of the wanted series; Malformed for what is no release."""
    names = {param(row, "name"): row.name for row in wanted}
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            found = [one for one in book.infolist() if one.filename.endswith("_data.xml")]
            if len(found) != 1 or found[0].file_size > LARGEST:
                raise Malformed("the release has no file of data, several, or one too large")
            with book.open(found[0]) as stream:
                yield from _rows(stream, names)
    except (zipfile.BadZipFile, ParseError, DefusedXmlException, EOFError) as error:
        raise Malformed("the file is no release") from error
    except Malformed:
        raise
    except BENT as error:
        raise Malformed("the release cannot be unpacked") from error


def _rows(stream: Any, names: dict[str, str]) -> Iterator[Row]:
    """Yield the values of the named series, forgetting each part of the document as it ends."""
    above: list[Any] = []
    inside = 0  # the parts of a series that is being read
    for event, element in iterparse(stream, events=("start", "end")):
        is_series = _tag(element) == "Series"
        if event == "start":
            above.append(element)
            inside += bool(inside or is_series)
            if len(above) > DEEPEST or inside > LONGEST:
                raise Malformed("a series of the release is too long, or too deep")
            continue
        above.pop()
        if is_series:
            yield from _values(element, names)
            inside = 0
        if not inside and above:
            above[-1].remove(element)


def _values(element: Any, names: dict[str, str]) -> Iterator[Row]:
    name = names.get(element.get("SERIES_NAME", ""))
    for one in element if name else ():
        if _tag(one) == "Obs" and one.get("OBS_STATUS", "A") == "A":
            day = day_of(one.get("TIME_PERIOD", ""), "iso")
            yield Row(str(name), day, one.get("OBS_VALUE", ""))


def _tag(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]
