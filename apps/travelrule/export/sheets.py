"""Tables while they are read: CSV, and XLSX whose every cell is text."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from xml.sax.saxutils import escape

from apps.core.batches import chunks
from apps.oversight.exports import Buffer

MOST_ROWS = 1_048_575  # of a sheet, beside its heading (ECMA-376: 1,048,576)
MOST_LETTERS = 32_767  # of a cell
AT_ONCE = 500
Cells = tuple[str, ...]
# what XML 1.0 cannot hold
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def csv_lines(rows: Iterable[Cells]) -> Iterator[bytes]:
    """Yield rows as CSV (RFC 4180), UTF-8 with a mark, some at a time.

    The first, a heading, by itself: who waits has it before any record is read.
    """
    begins = "\ufeff"  # without it a spreadsheet reads names in another alphabet
    rest = iter(rows)
    for some in chain(chunks(islice(rest, 1), 1), chunks(rest, AT_ONCE)):
        out = io.StringIO()
        csv.writer(out, lineterminator="\r\n").writerows(some)
        yield (begins + out.getvalue()).encode()
        begins = ""


def xlsx(heading: Cells, rows: Iterable[Cells]) -> Iterator[bytes]:
    """Yield a workbook; beyond a sheet's bound the next begins."""
    buffer = Buffer()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        sheets, rest = 0, iter(rows)
        first = next(rest, None)
        while first is not None or not sheets:
            sheets += 1
            with archive.open(f"xl/worksheets/sheet{sheets}.xml", "w", force_zip64=True) as out:
                out.write(f'{_XML}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
                out.write(_row(heading))
                written = 0
                while first is not None and written < MOST_ROWS:
                    out.write(_row(first))
                    written += 1
                    if written % AT_ONCE == 0:
                        yield buffer.take()
                    first = next(rest, None)
                out.write(b"</sheetData></worksheet>")
            yield buffer.take()
        for name, text in _parts(sheets):
            archive.writestr(name, text)
    yield buffer.take()


def _row(cells: Cells) -> bytes:
    made = (
        f'<c t="inlineStr" s="1"><is><t xml:space="preserve">{_text(one)}</t></is></c>'
        for one in cells
    )
    return f"<row>{''.join(made)}</row>".encode()


def _text(value: str) -> str:
    return escape(_NO_XML.sub("\ufffd", value[:MOST_LETTERS]))


def _parts(sheets: int) -> Iterator[tuple[str, str]]:
    """Yield the parts of a workbook beside its sheets; style 1 is text."""
    numbers = range(1, sheets + 1)
    named = "".join(f'<sheet name="Records {n}" sheetId="{n}" r:id="rId{n}"/>' for n in numbers)
    book = f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{named}</sheets></workbook>'
    yield "xl/workbook.xml", _XML + book
    yield (
        "xl/styles.xml",
        (
            f'{_XML}<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts>'
            '<fills count="1"><fill/></fills><borders count="1"><border/></borders>'
            '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/>'
            '<xf numFmtId="49" applyNumberFormat="1"/></cellXfs></styleSheet>'
        ),
    )
    linked = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    styles = f'<Relationship Id="rIdS" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    yield "xl/_rels/workbook.xml.rels", _relations(linked + styles)
    whole = f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    yield "_rels/.rels", _relations(whole)
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


def _relations(inner: str) -> str:
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'
