"""CSV and XLSX: no text is a formula to whoever opens them, and strangers' programs read them."""

import ast
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from apps.platform.common.spreadsheets import (
    FORMULA_STARTS,
    guard_cell,
    stream_csv,
    stream_xlsx,
    write_workbook,
)
from tests.review.people import NOON
from tests.strangers.readers import read_csv, read_xlsx

FORMULA = '=HYPERLINK("https://evil.example";"Click")'
RUN = (
    FORMULA, "+1+1", "-2+3", "@SUM(1)", " =1+1", "\t=1+1", "\rx", "\nx", "\tharmless",
    "\u00a0=1", "\u3000=1", "\u200b=1", "\ufeff=1", "\u202e=1", "\u2066@x", "\x00=1", " \n -1",
    "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20x", "=", "-", "+49 30 1234",
)  # fmt: skip
PLAIN = (
    "", "Northwind = South", "1=1", "a@b.example", "'=1", "\u00c4rzte", "\u4e2d=1", "/etc", "(=1)",
    "\u2013 5", " x", "\u200bx", '"=1"',
)  # fmt: skip


@pytest.mark.parametrize("text", RUN)
def test_what_a_spreadsheet_may_run_begins_with_an_apostrophe(text: str) -> None:
    assert guard_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_what_no_spreadsheet_runs_stays_as_it_is(text: str) -> None:
    assert guard_cell(text) == text
    assert guard_cell(guard_cell(text)) == text


@given(st.text())
def test_no_text_becomes_a_formula(text: str) -> None:
    assert not guard_cell(text).lstrip().startswith(tuple(FORMULA_STARTS))


@pytest.mark.parametrize("number", [-1, Decimal("-0.5"), -2.5, 0, True])
def test_numbers_stay_numbers(number: Any) -> None:
    assert guard_cell(number) is number


def test_nothing_is_an_empty_cell() -> None:
    assert guard_cell(None) == ""


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_no_cell_begins_inside_another_whatever_parts_cells(delimiter: str) -> None:
    text = f"Harbour{delimiter}=1+1"
    raw = b"".join(stream_csv([["name", "country"], [text, "DE"]]))
    cells = [cell for row in read_csv(raw, delimiter=delimiter) for cell in row]
    assert not [cell for cell in cells if cell.startswith("=")]


def test_a_table_that_streams_is_read_by_strangers() -> None:
    rows = [(FORMULA, "Müller & Söhne <GmbH>", "line\nend"), ("-5", "中国石油", "\x01")]
    csv = read_csv(b"".join(stream_csv([("a", "b", "c"), *rows])))
    assert csv == [["a", "b", "c"], [f"'{FORMULA}", *rows[0][1:]], ["'-5", *rows[1][1:]]]
    [(title, sheet)] = read_xlsx(b"".join(stream_xlsx(("a", "b", "c"), rows))).items()
    assert title == "Records 1"
    assert sheet[1:] == [[f"'{FORMULA}", *rows[0][1:]], ["'-5", "中国石油", "\ufffd"]]


def test_an_empty_table_is_read_by_strangers() -> None:
    assert read_xlsx(b"".join(stream_xlsx(("a", "b"), []))) == {"Records 1": [["a", "b"]]}


def test_a_workbook_of_several_sheets_is_read_by_strangers() -> None:
    out = io.BytesIO()
    tables = [("One", ("a",), [(FORMULA,), (-1.5,), (None,)]), ("Two", ("b",), [])]
    write_workbook(out, tables, created=NOON)
    xlsx = read_xlsx(out.getvalue())
    assert xlsx["One"][1:3] == [[f"'{FORMULA}"], [-1.5]] and xlsx["Two"] == [["b"]]


def written_elsewhere(source: str) -> list[str]:
    """Return what a module uses that writes CSV or XLSX without the guard."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {name.name.partition(".")[0] for name in node.names}
            module = (getattr(node, "module", None) or "").partition(".")[0]
            found += sorted({"xlsxwriter", "openpyxl"} & (names | {module}))
            if module == "csv":
                found += sorted({"writer", "DictWriter"} & names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "csv" and node.attr in ("writer", "DictWriter"):
                found.append(f"csv.{node.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += ["inlineStr"] * ('t="inlineStr"' in node.value)
    return found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import csv\ncsv.writer(out)", ["csv.writer"]),
        ("from csv import DictWriter", ["DictWriter"]),
        ("import xlsxwriter", ["xlsxwriter"]),
        ("from openpyxl.cell import Cell", ["openpyxl"]),
        ("import csv\ncsv.reader(held)", []),
    ],
)
def test_the_walk_below_sees_who_writes(source: str, found: list[str]) -> None:
    assert written_elsewhere(source) == found


def test_every_csv_and_xlsx_is_written_through_the_guard() -> None:
    ours = Path(settings.BASE_DIR)
    faults = {
        str(path.relative_to(ours)): found
        for folder in ("apps", "config")
        for path in sorted((ours / folder).rglob("*.py"))
        if path != ours / "apps/platform/common/spreadsheets.py"
        if (found := written_elsewhere(path.read_text()))
    }
    assert faults == {}
