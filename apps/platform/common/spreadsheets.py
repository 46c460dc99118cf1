"""Write every file that spreadsheets open: CSV and XLSX, in which no text becomes a formula.

All files of these kinds are written here, so that one guard covers them: a name that a client, a
payer or a list chose could otherwise run in the spreadsheet of the person who opens an export.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain, islice
from typing import IO, Any
from xml.sax.saxutils import escape

import xlsxwriter

from apps.platform.common.batches import iter_chunks
from apps.platform.common.stream_buffer import StreamBuffer

# the first characters of a formula, ASCII and full width (a Japanese spreadsheet reads both alike)
FORMULA_STARTS = "=+-@\uff1d\uff0b\uff0d\uff20"
# characters that a spreadsheet may skip before it looks for the start of a formula
_SKIPPED = re.compile(
    "[\\s\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*"
)
MOST_ROWS = 1_048_575  # rows of a sheet beside its heading (ECMA-376: 1,048,576)
MOST_LETTERS = 32_767  # characters of a cell
AT_ONCE = 500  # rows that are sent together
BYTE_ORDER_MARK = "\ufeff"  # without it a spreadsheet does not read the file as UTF-8
Cells = tuple[str, ...]
# characters that XML 1.0 cannot hold
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def guard_cell(value: object) -> Any:
    """Return a value as a cell that no spreadsheet reads as a formula; numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, int | float | Decimal):
        return value
    text = str(value)
    if text[:1].isalnum():  # most texts begin with a letter or digit, which cannot start a formula
        return text
    skipped = _SKIPPED.match(text)
    before = skipped.group() if skipped else ""
    starts = text[len(before) : len(before) + 1]
    formula = bool(starts) and starts in FORMULA_STARTS
    # a tab or a line break may put the rest into a cell of its own
    # an apostrophe in front marks a text in every spreadsheet (OWASP, CSV injection)
    return f"'{text}" if formula or any(separator in before for separator in "\t\r\n") else text


class CsvWriter:
    """Write rows as CSV (RFC 4180) whose cells are guarded.

    Every cell is quoted: otherwise a spreadsheet that splits cells at semicolons or tabs would find
    a formula in the middle of a text.
    """

    def __init__(self, out: Any, *, line_end: str = "\r\n") -> None:
        self._writer = csv.writer(out, lineterminator=line_end, quoting=csv.QUOTE_ALL)

    def writerow(self, row: Iterable[object]) -> Any:
        """Write one row; return what the file's `write` returns."""
        return self._writer.writerow([guard_cell(cell) for cell in row])

    def writerows(self, rows: Iterable[Iterable[object]]) -> None:
        """Write several rows."""
        for row in rows:
            self.writerow(row)


def format_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as the text of a CSV."""
    out = io.StringIO(newline="")
    CsvWriter(out).writerows(rows)
    return out.getvalue()


def stream_csv(rows: Iterable[Iterable[object]], *, at_once: int = AT_ONCE) -> Iterator[bytes]:
    """Yield rows as CSV (RFC 4180), UTF-8 with a byte order mark, some at a time."""
    # the heading by itself, so that the client gets it before any record is read
    begins = BYTE_ORDER_MARK
    rest = iter(rows)
    for chunk in chain(iter_chunks(islice(rest, 1), 1), iter_chunks(rest, at_once)):
        yield (begins + format_csv(chunk)).encode()
        begins = ""


def stream_xlsx(heading: Cells, rows: Iterable[Cells]) -> Iterator[bytes]:
    """Yield a workbook; rows beyond the limit of a sheet go to the next one."""
    buffer = StreamBuffer()
    # speed over size: a web worker compresses it while the client waits
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        sheets, rest = 0, iter(rows)
        first = next(rest, None)
        while first is not None or not sheets:
            sheets += 1
            # the size, which may exceed 2 GiB, is not known before, and the stream cannot seek back
            with archive.open(f"xl/worksheets/sheet{sheets}.xml", "w", force_zip64=True) as out:
                out.write(f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
                out.write(_row_xml(heading))
                written = 0
                while first is not None and written < MOST_ROWS:
                    out.write(_row_xml(first))
                    written += 1
                    if written % AT_ONCE == 0:
                        yield buffer.take()
                    first = next(rest, None)
                out.write(b"</sheetData></worksheet>")
            yield buffer.take()
        # last, because only now the number of sheets is known; a ZIP has its directory at the end
        for name, text in _workbook_parts(sheets):
            archive.writestr(name, text)
    yield buffer.take()


def write_workbook(
    out: IO[bytes],
    sheets: Iterable[tuple[str, Sequence[str], Iterable[Iterable[object]]]],
    *,
    created: datetime,
) -> None:
    """Write a workbook with a sheet for each (title, heading, rows); numbers stay numbers in it."""
    # xlsxwriter guesses by default: `=…` would become a formula, and 00123 a number
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, plain) as book:
        # xlsxwriter takes it as UTC only without a zone, and would else write the present time
        book.set_properties({"created": created.replace(tzinfo=None)})
        bold = book.add_format({"bold": True, "bottom": 1})
        for title, heading, rows in sheets:
            sheet = book.add_worksheet(title)
            sheet.freeze_panes(1, 0)
            sheet.write_row(0, 0, heading, bold)
            for number, row in enumerate(rows, start=1):
                sheet.write_row(number, 0, [guard_cell(cell) for cell in row])
            sheet.autofit()


def _row_xml(cells: Cells) -> bytes:
    cell_texts = (
        (
            f'<c t="inlineStr" s="1"><is><t '
            f'xml:space="preserve">{_cell_text(guard_cell(cell))}</t></is></c>'
        )
        for cell in cells
    )
    return f"<row>{''.join(cell_texts)}</row>".encode()


def _cell_text(value: str) -> str:
    return escape(_NO_XML.sub("\ufffd", value[:MOST_LETTERS]))


def _workbook_parts(sheets: int) -> Iterator[tuple[str, str]]:
    """Yield the parts of a workbook beside its sheets; style 1 is text."""
    numbers = range(1, sheets + 1)
    named = "".join(f'<sheet name="Records {n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    book = f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{named}</sheets></workbook>'
    yield "xl/workbook.xml", _XML + book
    yield (
        "xl/styles.xml",
        (
            f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts>'
            # a spreadsheet uses the first two fills for these, whatever is written
            '<fills count="2"><fill><patternFill patternType="none"/></fill>'
            '<fill><patternFill patternType="gray125"/></fill></fills>'
            '<borders count="1"><border/></borders>'
            '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/>'
            '<xf numFmtId="49" applyNumberFormat="1"/></cellXfs>'
            '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
            "</styleSheet>"
        ),
    )
    linked = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    styles = f'<Relationship Id="rIdS" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    yield "xl/_rels/workbook.xml.rels", _relationships_xml(linked + styles)
    whole = f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    yield "_rels/.rels", _relationships_xml(whole)
    kinds = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    kinds += [(f"/xl/worksheets/sheet{n}.xml", "worksheet") for n in numbers]
    parts = "".join(
        f'<Override PartName="{name}" ContentType="{_SHEET}.{kind}+xml"/>' for name, kind in kinds
    )
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    yield (
        "[Content_Types].xml",
        (
            f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
            f'<Default Extension="rels" ContentType="{relations}"/>'
            f'<Default Extension="xml" ContentType="application/xml"/>{parts}</Types>'
        ),
    )


def _relationships_xml(inner: str) -> str:
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'
