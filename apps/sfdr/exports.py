"""A kept report as JSON, CSV and XLSX, in a stream: what was given, and every figure below it."""

import csv
import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

import xlsxwriter

from apps.core.shapes import iso
from apps.oversight.rules import cell
from apps.sfdr.models import PaiReport

INDICATORS = (
    "id", "name", "annex", "metric", "status", "rule", "value", "unit", "coveragePercent",
    "estimatedPercent", "missing",
)  # fmt: skip
FIGURES = ("holding", "input", "value", "period", "source", "url", "asOf", "estimated", "sample")
PIECE = 64 * 1024
Table = tuple[str, tuple[str, ...], list[tuple[Any, ...]]]
TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def stream(*, record: PaiReport, form: str) -> Iterator[bytes]:
    """Yield a report in one of TYPES, piece by piece; KeyError for another form."""
    return {"json": _json, "csv": _csv, "xlsx": _xlsx}[form](record)


def told(record: PaiReport) -> dict[str, Any]:
    """Return what a record holds; see PaiExportOut."""
    kept = record.data
    return {"report": kept["response"], "figures": kept["figures"], "versions": kept["versions"]}


def tables(record: PaiReport) -> list[Table]:
    """Return title, head and rows of what a report holds: summary, indicators and their parts."""
    kept = record.data
    response = kept["response"]
    rows = response["indicators"]
    parts = [
        (one["id"], part["name"], part["value"], part["coveragePercent"])
        for one in rows
        for part in one["parts"]
    ]
    quarters = [
        (one["id"], of["quarterEnd"], of["value"], of["coveragePercent"])
        for one in rows
        for of in one.get("quarters", ())
    ]
    return [
        ("Summary", ("what", "value"), list(_summary(record, response))),
        ("Indicators", INDICATORS, [tuple(_text(one[n]) for n in INDICATORS) for one in rows]),
        ("Parts", ("id", "part", "value", "coveragePercent"), parts),
        ("Quarters", ("id", "quarterEnd", "value", "coveragePercent"), quarters),
        ("Figures", FIGURES, [tuple(one[name] for name in FIGURES) for one in kept["figures"]]),
    ]


def _summary(record: PaiReport, response: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "reportId", str(record.report_id)
    yield "name", response.get("portfolioName") or response.get("entityName", "")
    yield "reportingPeriod", response["reportingPeriod"]
    yield "figuresUntil", response.get("figuresUntil", "")
    yield "generatedAt", iso(record.recorded_at)
    yield "weighting", response.get("weighting", "")
    yield "averaging", response.get("averaging", "")
    yield from response["summary"].items()
    yield "dataQuality", response["dataQuality"]
    yield from response["legalBasis"].items()
    yield "rulesVersion", response["rulesVersion"]


def _text(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value


def _json(record: PaiReport) -> Iterator[bytes]:
    yield json.dumps(told(record), ensure_ascii=False, indent=1).encode()


class _Line:
    """A file that keeps nothing: what is written is what `writerow` returns."""

    def write(self, text: str) -> str:
        """Give back what was written."""
        return text


def _csv(record: PaiReport) -> Iterator[bytes]:
    """Yield the tables one after the other, each below a line with its title."""
    writer = csv.writer(_Line(), lineterminator="\r\n")
    yield b"\xef\xbb\xbf"  # by which spreadsheets know UTF-8
    for title, head, rows in tables(record):
        for row in ([title], head, *([cell(value) for value in one] for one in rows), []):
            yield str(writer.writerow(row)).encode()


def _xlsx(record: PaiReport) -> Iterator[bytes]:
    """Yield a workbook with a sheet for each table; texts are texts, never formulas."""
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with SpooledTemporaryFile(max_size=PIECE) as out:
        with xlsxwriter.Workbook(out, plain) as book:
            book.set_properties({"created": record.recorded_at.replace(tzinfo=None)})
            heading = book.add_format({"bold": True, "bottom": 1})
            for title, head, rows in tables(record):
                sheet = book.add_worksheet(title)
                sheet.freeze_panes(1, 0)
                sheet.write_row(0, 0, head, heading)
                for number, row in enumerate(rows, start=1):
                    sheet.write_row(number, 0, ["" if value is None else value for value in row])
                sheet.autofit()
        out.seek(0)
        while piece := out.read(PIECE):
            yield piece
