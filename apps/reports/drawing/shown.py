"""What a page and a PDF show of a report, in order: one value that both draw."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from apps.reports import proving
from apps.reports.catalogue import report_of
from apps.reports.rules.charts import Drawn, drawn
from apps.reports.rules.findings import LEVELS, Data
from apps.reports.rules.listings import Listed, listed
from apps.reports.rules.marks import MEANS, Traced, marked, of_parts

QUALITY = {
    "LIVE": "all inputs responded",
    "PARTIAL": "some inputs were not available",
    "ESTIMATED": "historical, interpolated or demonstration figures",
}

W = TypeVar("W")
T = TypeVar("T", Drawn, Listed)


@dataclass(frozen=True, slots=True)
class Shown:
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
    charts: Sequence[Drawn]
    tables: Sequence[Listed]
    sources: Sequence[str]
    missing: Sequence[str]
    marks: Sequence[tuple[str, str]]
    digest: str
    signature: str
    key: str
    rules: str
    name: str


def shown(body: Mapping[str, Any]) -> Shown:
    """Return what is shown of a report; `body` is as the wire has it."""
    synthesis, data = body["synthesis"], body["data"]
    report = report_of(body["reportType"])
    assert report is not None
    level, quality = synthesis["riskLevel"], synthesis["dataQuality"]
    return Shown(
        title=report.title,
        about=data["about"],
        period=body["period"],
        made=f"{body['generatedAt'][:16].replace('T', ' ')} UTC",
        report_id=data["reportId"],
        level=level,
        means=LEVELS[level],
        quality=quality,
        quality_means=QUALITY[quality],
        summary=synthesis["summary"],
        figures=data["figures"],
        findings=data["findings"],
        narrative=[*synthesis["narrative"].items()],
        recommendations=synthesis["recommendations"],
        charts=_told(report.charts, drawn, data),
        tables=_told(report.tables, listed, data),
        sources=body["sources"],
        missing=data["missing"],
        marks=[(mark, means) for mark, means in MEANS.items() if mark in data["marks"].values()],
        digest=proving.digest(body),
        signature=proving.signature(body),
        key=proving.key_id(),
        rules=data["rulesVersion"],
        name=f"{report.name}-report-{body['period']}",
    )


def _told(wanted: Iterable[W], make: Callable[[W, Data], T | None], data: Data) -> list[T]:
    """Return what is known of charts or tables, each with the mark of what it tells."""
    found = []
    for asked in wanted:
        traced = Traced(data)
        one = make(asked, traced)
        if one is not None:
            mark = of_parts(data["marks"], traced.read)
            found.append(replace(one, title=marked(one.title, mark)))
    return found
