"""What a page and a PDF show of a report, in reading order: one value that both draw."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from apps.insight.reports import signatures
from apps.insight.reports.catalogue import report_of
from apps.insight.reports.rules.charts import ChartDrawing, draw_chart
from apps.insight.reports.rules.findings import LEVELS, Data
from apps.insight.reports.rules.sample_marks import (
    MARK_MEANINGS,
    TracedData,
    append_mark,
    mark_of_parts,
)
from apps.insight.reports.rules.tables import FilledTable, fill_table

QUALITY_MEANINGS = {
    "LIVE": "all inputs responded",
    "PARTIAL": "some inputs were not available",
    "ESTIMATED": "historical, interpolated or demonstration figures",
}

W = TypeVar("W")
T = TypeVar("T", ChartDrawing, FilledTable)


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report in the order in which it is read."""

    title: str
    about: str
    period: str
    made: str
    report_id: str
    level: str
    means: str
    quality: str
    quality_means: str
    summary: str
    figures: Sequence[Mapping[str, str]]
    findings: Sequence[Mapping[str, Any]]
    narrative: Sequence[tuple[str, str]]
    recommendations: Sequence[str]
    charts: Sequence[ChartDrawing]
    tables: Sequence[FilledTable]
    sources: Sequence[str]
    missing: Sequence[str]
    marks: Sequence[tuple[str, str]]
    digest: str
    signature: str
    key: str
    rules: str
    name: str


def present_report(body: Mapping[str, Any]) -> ReportView:
    """Return what is shown of a report; `body` is as the wire has it."""
    synthesis, data = body["synthesis"], body["data"]
    report = report_of(body["reportType"])
    assert report is not None
    level, quality = synthesis["riskLevel"], synthesis["dataQuality"]
    return ReportView(
        title=report.title,
        about=data["about"],
        period=body["period"],
        # minutes suffice for a reader; the JSON has the exact moment
        made=f"{body['generatedAt'][:16].replace('T', ' ')} UTC",
        report_id=data["reportId"],
        level=level,
        means=LEVELS[level],
        quality=quality,
        quality_means=QUALITY_MEANINGS[quality],
        summary=synthesis["summary"],
        figures=data["figures"],
        findings=data["findings"],
        narrative=[*synthesis["narrative"].items()],
        recommendations=synthesis["recommendations"],
        charts=_present_marked(report.charts, draw_chart, data),
        tables=_present_marked(report.tables, fill_table, data),
        sources=body["sources"],
        missing=data["missing"],
        marks=[
            (mark, means) for mark, means in MARK_MEANINGS.items() if mark in data["marks"].values()
        ],
        digest=signatures.digest_report(body),
        signature=signatures.sign_report(body),
        key=signatures.current_key_id(),
        rules=data["rulesVersion"],
        name=f"{report.name}-report-{body['period']}",
    )


def _present_marked(
    definitions: Iterable[W], make: Callable[[W, Data], T | None], data: Data
) -> list[T]:
    """Return charts or tables that have data, each with the mark of its figures."""
    marked = []
    for definition in definitions:
        traced = TracedData(data)
        item = make(definition, traced)
        if item is not None:
            mark = mark_of_parts(data["marks"], traced.read)
            marked.append(replace(item, title=append_mark(item.title, mark)))
    return marked
