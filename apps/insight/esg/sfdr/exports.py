"""Stream a stored report as JSON, CSV and XLSX: its inputs, and every figure below it."""

import json
from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Any

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.platform.common.clock import format_utc
from apps.platform.common.spreadsheets import stream_csv, write_workbook

INDICATORS = (
    "id", "name", "annex", "metric", "status", "rule", "value", "unit", "coveragePercent",
    "estimatedPercent", "missing",
)  # fmt: skip
FIGURES = ("holding", "input", "value", "period", "source", "url", "asOf", "estimated", "sample")
# bytes of the workbook that are sent at a time, and kept in memory before a file is used
PIECE = 64 * 1024
Table = tuple[str, tuple[str, ...], list[tuple[Any, ...]]]
TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def stream_report(*, record: PaiReport, form: str) -> Iterator[bytes]:
    """Yield a report in one of TYPES, piece by piece; KeyError for another form."""
    return {"json": _stream_json, "csv": _stream_csv, "xlsx": _stream_xlsx}[form](record)


def build_export(record: PaiReport) -> dict[str, Any]:
    """Return what a record holds; see PaiExportOut."""
    data = record.data
    return {"report": data["response"], "figures": data["figures"], "versions": data["versions"]}


def build_export_tables(record: PaiReport) -> list[Table]:
    """Return title, head and rows of what a report holds: summary, indicators and their parts."""
    data = record.data
    response = data["response"]
    rows = response["indicators"]
    parts = [
        (row["id"], part["name"], part["value"], part["coveragePercent"])
        for row in rows
        for part in row["parts"]
    ]
    quarters = [
        (row["id"], of["quarterEnd"], of["value"], of["coveragePercent"])
        for row in rows
        for of in row.get("quarters", ())
    ]
    return [
        ("Summary", ("what", "value"), list(_iter_summary_rows(record, response))),
        (
            "Indicators",
            INDICATORS,
            [tuple(_format_cell(row[n]) for n in INDICATORS) for row in rows],
        ),
        ("Parts", ("id", "part", "value", "coveragePercent"), parts),
        ("Quarters", ("id", "quarterEnd", "value", "coveragePercent"), quarters),
        (
            "Figures",
            FIGURES,
            [tuple(figure[name] for name in FIGURES) for figure in data["figures"]],
        ),
    ]


def _iter_summary_rows(record: PaiReport, response: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield "reportId", str(record.report_id)
    yield "name", response.get("portfolioName") or response.get("entityName", "")
    yield "reportingPeriod", response["reportingPeriod"]
    yield "figuresUntil", response.get("figuresUntil", "")
    yield "generatedAt", format_utc(record.recorded_at)
    yield "weighting", response.get("weighting", "")
    yield "averaging", response.get("averaging", "")
    yield from response["summary"].items()
    yield "dataQuality", response["dataQuality"]
    yield from response["legalBasis"].items()
    yield "rulesVersion", response["rulesVersion"]


def _format_cell(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value


def _stream_json(record: PaiReport) -> Iterator[bytes]:
    yield json.dumps(build_export(record), ensure_ascii=False, indent=1).encode()


def _stream_csv(record: PaiReport) -> Iterator[bytes]:
    """Yield the tables one after the other, each below a line with its title."""
    # one file can hold only one table of CSV: each is headed by its title and followed by a blank
    # line
    yield from stream_csv(
        row
        for title, head, rows in build_export_tables(record)
        for row in ([title], head, *rows, [])
    )


def _stream_xlsx(record: PaiReport) -> Iterator[bytes]:
    """Yield a workbook with a sheet for each table."""
    with SpooledTemporaryFile(max_size=PIECE) as out:
        write_workbook(out, build_export_tables(record), created=record.recorded_at)
        out.seek(0)
        while piece := out.read(PIECE):
            yield piece
