"""Puts a report together from its parts: findings, level, narrative, figures (2 §2.6)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.core.rendering import Wire, plain, render
from apps.core.shapes import iso
from apps.reports.opining import opined
from apps.reports.rules import VERSION, findings
from apps.reports.rules.findings import MOST, Data, Found
from apps.reports.rules.marks import Traced, marked, of_parts
from apps.reports.serializers import ReportOut
from apps.reports.shape import Piece, Report, Subject


def told(
    report: Report,
    *,
    report_id: str,
    subject: Subject,
    pieces: Mapping[str, Piece],
    lacking: Sequence[str],
    until: datetime,
    now: datetime,
) -> Wire:
    """Return a report as the wire has it."""
    data = {name: plain(piece.data) for name, piece in pieces.items()}
    marks = {name: piece.mark for name, piece in pieces.items() if piece.mark}
    found = findings.judge(report.rules, data, marks)
    quality = findings.quality((one.quality for one in pieces.values()), missing=bool(lacking))
    narrative = _narrative(report, data, marks)
    synthesis = {
        "summary": findings.summary(
            title=f"{report.title} on {subject.title}",
            found=found,
            headline=_read(report.headline, data, marks),
        ),
        "key_findings": [one.sentence for one in found[:MOST]],
        "risk_level": findings.risk_level(found),
        "narrative": narrative | opined(report, narrative=narrative, found=found, now=now),
        "recommendations": findings.recommendations(found),
        "data_quality": quality,
    }
    about = _about(report, report_id, subject, lacking, until) | {"marks": marks}
    values = {
        "report_type": report.name,
        "period": subject.period,
        "generated_at": now,
        "synthesis": synthesis,
        "data": about | {"figures": _figures(report, data, marks), "findings": _all(found)} | data,
        "sources": list(dict.fromkeys(s for one in pieces.values() for s in one.sources)),
    }
    return render(ReportOut, values)


def _about(
    report: Report, report_id: str, subject: Subject, lacking: Sequence[str], until: datetime
) -> dict[str, Any]:
    return {
        "reportId": report_id,
        "about": subject.title,
        "servesUntil": iso(until),
        "rulesVersion": VERSION,
        "missing": list(lacking),
    }


def _read(tell: Callable[[Data], str], data: Data, marks: Mapping[str, str]) -> str:
    """Return what is told of data, with the mark of the parts that it was read from."""
    traced = Traced(data)
    text = tell(traced)
    return marked(text, of_parts(marks, traced.read))


def _narrative(report: Report, data: Data, marks: Mapping[str, str]) -> dict[str, str]:
    paragraphs = {one.heading: _read(one.tell, data, marks) for one in report.story}
    return {heading: text for heading, text in paragraphs.items() if text}


def _figures(report: Report, data: Data, marks: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the headline figures that are known, each with its mark where it has one."""
    told = []
    for one in report.figures:
        traced = Traced(data)
        value, mark = one.read(traced), of_parts(marks, traced.read)
        if value:
            told.append({"title": one.title, "value": value} | ({"mark": mark} if mark else {}))
    return told


def _all(found: Sequence[Found]) -> list[dict[str, Any]]:
    return [one.told() for one in found]
