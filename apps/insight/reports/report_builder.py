"""Assemble a report from its parts: findings, level, narrative, figures (2 §2.6)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.insight.reports.definitions import PartResult, Report, ReportSubject
from apps.insight.reports.model_opinion import request_model_opinion
from apps.insight.reports.rules import VERSION, findings
from apps.insight.reports.rules.findings import MAX_KEY_FINDINGS, Data
from apps.insight.reports.rules.sample_marks import TracedData, append_mark, mark_of_parts
from apps.insight.reports.serializers.reports import ReportOut
from apps.platform.api.representation import RenderedAnswer, render_answer, to_plain_json
from apps.platform.common.clock import format_utc


def build_report(
    report: Report,
    *,
    report_id: str,
    subject: ReportSubject,
    pieces: Mapping[str, PartResult],
    lacking: Sequence[str],
    until: datetime,
    now: datetime,
) -> RenderedAnswer:
    """Return a report as it is sent."""
    data = {name: to_plain_json(piece.data) for name, piece in pieces.items()}
    marks = {name: piece.mark for name, piece in pieces.items() if piece.mark}
    rules = findings.evaluate_rules(report.rules, data, marks)
    quality = findings.worst_quality(
        (piece.quality for piece in pieces.values()), missing=bool(lacking)
    )
    paragraphs = {
        paragraph.heading: _read_with_mark(paragraph.tell, data, marks)
        for paragraph in report.story
    }
    narrative = {heading: text for heading, text in paragraphs.items() if text}
    synthesis = {
        "summary": findings.summarize_findings(
            title=f"{report.title} on {subject.title}",
            findings=rules,
            headline=_read_with_mark(report.headline, data, marks),
        ),
        "key_findings": [finding.sentence for finding in rules[:MAX_KEY_FINDINGS]],
        "risk_level": findings.highest_level(rules),
        "narrative": narrative
        | request_model_opinion(report, narrative=narrative, findings=rules, now=now),
        "recommendations": findings.collect_recommendations(rules),
        "data_quality": quality,
    }
    about = _describe_report(report, report_id, subject, lacking, until) | {"marks": marks}
    values = {
        "report_type": report.name,
        "period": subject.period,
        "generated_at": now,
        "synthesis": synthesis,
        "data": about
        | {
            "figures": _list_headline_figures(report, data, marks),
            "findings": [finding.serialize() for finding in rules],
        }
        | data,
        "sources": list(dict.fromkeys(s for piece in pieces.values() for s in piece.sources)),
    }
    return render_answer(ReportOut, values)


def _describe_report(
    report: Report, report_id: str, subject: ReportSubject, lacking: Sequence[str], until: datetime
) -> dict[str, Any]:
    return {
        "reportId": report_id,
        "about": subject.title,
        "servesUntil": format_utc(until),
        "rulesVersion": VERSION,
        "missing": list(lacking),
    }


def _read_with_mark(tell: Callable[[Data], str], data: Data, marks: Mapping[str, str]) -> str:
    """Return a text with the marks of the parts that it was read from."""
    traced = TracedData(data)
    text = tell(traced)
    return append_mark(text, mark_of_parts(marks, traced.read))


def _list_headline_figures(
    report: Report, data: Data, marks: Mapping[str, str]
) -> list[dict[str, str]]:
    """Return the headline figures that are known, each with its mark where it has one."""
    headline_figures = []
    for figure in report.figures:
        traced = TracedData(data)
        value, mark = figure.read(traced), mark_of_parts(marks, traced.read)
        if value:
            headline_figures.append(
                {"title": figure.title, "value": value} | ({"mark": mark} if mark else {})
            )
    return headline_figures
