"""Files as the programs of those who receive them read them: openpyxl, csv, pypdf."""

import codecs
import csv
import io
from typing import Any

import openpyxl
import pypdf


def read_xlsx(raw: bytes) -> dict[str, list[list[Any]]]:
    """Return the rows of each sheet; AssertionError for a cell that is a formula."""
    book = openpyxl.load_workbook(io.BytesIO(raw))
    for sheet in book:
        formulas = [cell.coordinate for row in sheet for cell in row if cell.data_type == "f"]
        assert formulas == [], (sheet.title, formulas)
    return {
        sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in book
    }


def read_csv(raw: bytes, *, delimiter: str = ",") -> list[list[str]]:
    """Return the rows of a CSV; by another delimiter as a program of another country cuts them."""
    assert raw.startswith(codecs.BOM_UTF8), "a spreadsheet reads it in another alphabet"
    text = io.StringIO(raw.decode("utf-8-sig"), newline="")
    return list(csv.reader(text, delimiter=delimiter, strict=delimiter == ","))


def read_pdf(raw: bytes) -> list[str]:
    """Return the text of each page, read strictly."""
    return [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(raw), strict=True).pages]
