"""A kept report as JSON, CSV and XLSX: what was given, and every figure that it rests on."""

import csv
import io
import json
from collections.abc import Iterator
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
Table = tuple[str, tuple[str, ...], list[tuple[Any, ...]]]
TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def rendered(*, record: PaiReport, form: str) -> bytes:
    """Return a report in one of TYPES; KeyError for another form."""
    return {"json": _json, "csv": _csv, "xlsx": _xlsx}[form](record)


def tables(record: PaiReport) -> list[Table]:
    """Return title, head and rows of what a report holds: summary, indicators, parts, figures."""
    kept = record.data
    response = kept["response"]
    rows = response["indicators"]
    parts = [
        (one["id"], part["name"], part["value"], part["coveragePercent"])
        for one in rows
        for part in one["parts"]
    ]
    return [
        ("Summary", ("what", "value"), list(_summary(record, response))),
        ("Indicators", INDICATORS, [tuple(_text(one[n]) for n in INDICATORS) for one in rows]),
        ("Parts", ("id", "part", "value", "coveragePercent"), parts),
        ("Figures", FIGURES, [tuple(one[name] for name in FIGURES) for one in kept["figures"]]),
    ]


def _summary(record: PaiReport, response: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "reportId", str(record.report_id)
    yield "name", response.get("portfolioName") or response.get("entityName", "")
    yield "reportingPeriod", response["reportingPeriod"]
    yield "generatedAt", iso(record.recorded_at)
    yield "weighting", response.get("weighting", "")
    yield from response["summary"].items()
    yield "dataQuality", response["dataQuality"]
    yield from response["legalBasis"].items()
    yield "rulesVersion", response["rulesVersion"]


def _text(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value


def _json(record: PaiReport) -> bytes:
    kept = record.data
    told = {"report": kept["response"], "figures": kept["figures"], "versions": kept["versions"]}
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def _csv(record: PaiReport) -> bytes:
    """Return the tables one after the other, each below a line with its title."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for title, head, rows in tables(record):
        writer.writerow([title])
        writer.writerow(head)
        writer.writerows([cell(value) for value in row] for row in rows)
        writer.writerow([])
    return out.getvalue().encode("utf-8-sig")


def _xlsx(record: PaiReport) -> bytes:
    """Return a workbook with a sheet for each table; texts are texts, never formulas."""
    out = io.BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, {"in_memory": True, **plain}) as book:
        book.set_properties({"created": record.recorded_at.replace(tzinfo=None)})
        heading = book.add_format({"bold": True, "bottom": 1})
        for title, head, rows in tables(record):
            sheet = book.add_worksheet(title)
            sheet.freeze_panes(1, 0)
            sheet.write_row(0, 0, head, heading)
            for number, row in enumerate(rows, start=1):
                sheet.write_row(number, 0, ["" if value is None else value for value in row])
            sheet.autofit()
    return out.getvalue()
