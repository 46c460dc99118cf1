"""Spreadsheets (XLSX): one sheet with names in a row, read with the standard library.

Options of a file: `sheet`, its name; `names`, the number of the row of names, the first being 1;
`form`, how the first column writes its days (signals/readers/day_formats.py). Parameter of a
series: `column`, its name; blanks around names are passed over, because publishers leave some.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from apps.reference.signals.readers.day_formats import parse_day
from apps.reference.signals.readers.sdmx_releases import UNREADABLE_ERRORS
from apps.reference.signals.row_parsing import FileRow, Malformed, find_column, require_param
from apps.reference.signals.series.definitions import Feed, Series

LARGEST = 24 * 1024 * 1024  # bytes of one unpacked part
LONGEST, MOST = 20_000, 2_000_000  # rows, and cells with the empty ones between
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def read_spreadsheet(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the values of a sheet; Malformed for anything but a workbook, sheet and table."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as book:
            table = _read_sheet_cells(book, feed.options.get("sheet", ""))
    except (zipfile.BadZipFile, ParseError, DefusedXmlException, KeyError, EOFError) as error:
        raise Malformed("the file is not a workbook") from error
    except Malformed:
        raise
    except UNREADABLE_ERRORS as error:
        raise Malformed(f"the workbook cannot be read: {str(error)[:80]}") from error
    names = int(feed.options.get("names", "1")) - 1
    if len(table) <= names:
        raise Malformed("the sheet has no row of names")
    header = table[names]
    places = [(row.name, find_column(require_param(row, "column"), header)) for row in wanted]
    for cells in table[names + 1 :]:
        if not re.match(r"\d", cells[0] if cells else ""):
            continue  # units, notes
        day = parse_day(cells[0], feed.options.get("form", "sheet"))
        for name, place in places:
            yield FileRow(name, day, cells[place] if place < len(cells) else "")


def _read_sheet_cells(book: zipfile.ZipFile, name: str) -> list[list[str]]:
    """Return the cells of a sheet as texts, by row and column."""
    # texts that occur more than once are kept in a part of their own, and cells refer to them
    if "xl/sharedStrings.xml" not in book.namelist():
        shared = []
    else:
        element = fromstring(_read_part(book, "xl/sharedStrings.xml"))
        shared = ["".join(run.text or "" for run in item.iter(f"{MAIN}t")) for item in element]
    # without a name, the first sheet is read
    sheets = list(fromstring(_read_part(book, "xl/workbook.xml")).iter(f"{MAIN}sheet"))
    matching_sheets = [sheet for sheet in sheets if name in ("", sheet.get("name", "").strip())]
    if not matching_sheets:
        raise Malformed(f"sheet {name!r} is missing")
    # the workbook names its sheets by relation: the file of a sheet need not have its number
    links = fromstring(_read_part(book, "xl/_rels/workbook.xml.rels"))
    target = next(
        (
            link.get("Target", "")
            for link in links
            if link.get("Id") == matching_sheets[0].get(RELATION)
        ),
        "",
    )
    # a target is relative to `xl/`, or absolute within the package
    sheet_path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    sheet = fromstring(_read_part(book, sheet_path))
    table: list[list[str]] = []
    cell_count = 0
    # rows and cells name their place, because empty ones are left out
    for line in sheet.iter(f"{MAIN}row"):
        number = int(line.get("r", "0")) if line.get("r", "0").isdigit() else 0
        if len(table) >= LONGEST or cell_count > MOST:
            raise Malformed("the sheet is too large")
        if number and not len(table) < number <= LONGEST:
            raise Malformed("rows are out of order")
        table += [[] for _ in range(len(table), number - 1)]  # empty rows are not written
        cells: list[str] = []
        for cell in line.iter(f"{MAIN}c"):
            place = _column_number(cell.get("r", ""))
            if not len(cells) <= place < 2000:
                raise Malformed("cells of a row are out of order")
            cells += [""] * (place - len(cells))
            cells.append(_cell_text(cell, shared))
        table.append(cells)
        cell_count += len(cells)
    return table


def _read_part(book: zipfile.ZipFile, name: str) -> bytes:
    if book.getinfo(name).file_size > LARGEST:
        raise Malformed(f"{name} is too large")
    return book.read(name)


def _column_number(reference: str) -> int:
    letters = re.match(r"[A-Z]{1,3}", reference)
    if not letters:
        raise Malformed(f"{reference[:10]!r} is not a cell")
    number = 0
    for letter in letters[0]:
        # columns count in bijective base 26: Z is followed by AA
        number = number * 26 + ord(letter) - 64
    return number - 1


def _cell_text(cell: Any, shared: Sequence[str]) -> str:
    value = cell.findtext(f"{MAIN}v") or ""
    if cell.get("t") == "s":
        if not value.isdigit() or int(value) >= len(shared):
            raise Malformed("a cell refers to a missing text")
        return shared[int(value)].strip()
    if cell.get("t") == "inlineStr":
        return "".join(run.text or "" for run in cell.iter(f"{MAIN}t")).strip()
    return str(value).strip()
