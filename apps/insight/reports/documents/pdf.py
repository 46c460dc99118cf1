"""A report as a PDF (ISO 32000) of A4 pages, drawn from the same values as the page."""

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportlab.graphics.shapes import Drawing, Line, Rect, String
from reportlab.lib.colors import Color, HexColor, white
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from apps.insight.reports.documents.fonts import BOLD, PLAIN, mark_up_text, register_fonts
from apps.insight.reports.documents.page_footers import numbered_canvas
from apps.insight.reports.documents.presenters import ReportView, present_report
from apps.insight.reports.rules.charts import ChartDrawing
from apps.insight.reports.rules.tables import FilledTable

SIDE, TOP, BOTTOM = 18 * mm, 18 * mm, 20 * mm
WIDTH = A4[0] - 2 * SIDE
INK, MUTED, LINE, ACCENT = (
    HexColor(colour) for colour in ("#111111", "#555555", "#cccccc", "#1f4e79")
)
LEVEL_COLORS = {
    "LOW": HexColor("#1f6b3f"),
    "MODERATE": HexColor("#6f5700"),
    "ELEVATED": HexColor("#8f4b00"),
    "HIGH": HexColor("#9b1c15"),
    "CRITICAL": HexColor("#6a1790"),
}
# from light to dark, so that they differ in grey and for readers with colour blindness
SHARE_SHADES = tuple(
    HexColor(colour) for colour in ("#f3e7b3", "#e3b95c", "#c98035", "#8c4a2f", "#43202b")
)
BELOW, MARK = HexColor("#e39a3b"), HexColor("#b3261e")
BAR_SIZE = (WIDTH * 0.4, 9.0)


def _text_style(size: float, *, bold: bool = False, color: Color = INK, after: float = 0) -> Any:
    return ParagraphStyle(
        f"{size}{bold}{color}{after}",
        fontName=BOLD if bold else PLAIN,
        fontSize=size,
        leading=size * 1.4,
        textColor=color,
        spaceAfter=after,
        splitLongWords=True,
    )


BODY, SMALL = _text_style(9.5, after=4), _text_style(7.5, color=MUTED)
HEAD, KIND = _text_style(12, bold=True, after=3), _text_style(10, bold=True, color=ACCENT)
TITLE, LABEL = _text_style(17, bold=True, after=2), _text_style(8.5)
CELL, HEADS = _text_style(8), _text_style(7.5, bold=True, color=MUTED)
WARNS = _text_style(8.5, bold=True, color=LEVEL_COLORS["ELEVATED"])
MARKED = _text_style(6.5, bold=True, color=LEVEL_COLORS["ELEVATED"])


def render_pdf(body: Mapping[str, Any]) -> bytes:
    """Return the PDF of a report; the same report gives the same bytes."""
    register_fonts()
    report_view, out = present_report(body), io.BytesIO()
    doc_template = BaseDocTemplate(
        out,
        pagesize=A4,
        title=f"{report_view.title}: {report_view.about}",
        subject=report_view.summary,
        author="Compliance Oracle",
        lang="en",
        # no creation date and no random document id: the same report gives the same bytes
        invariant=1,
        pageCompression=1,
    )
    frame = Frame(SIDE, BOTTOM, WIDTH, A4[1] - TOP - BOTTOM, 0, 0, 0, 0)
    doc_template.addPageTemplates(
        [
            PageTemplate(
                frames=[frame],
            )
        ]
    )
    doc_template.build([*_iterate_flowables(report_view)], canvasmaker=numbered_canvas(report_view))
    return out.getvalue()


def _build_paragraph(text: str, style: Any = BODY) -> Paragraph:
    return Paragraph(mark_up_text(text), style)


def _iterate_flowables(report_view: ReportView) -> Iterator[Flowable]:
    yield _build_paragraph(report_view.title, KIND)
    yield _build_paragraph(report_view.about, TITLE)
    yield _build_paragraph(f"Report of {report_view.made} · period {report_view.period}", SMALL)
    yield from (_build_paragraph(f"{mark}: {means}.", WARNS) for mark, means in report_view.marks)
    yield Spacer(0, 6)
    yield _build_level_table(report_view)
    yield Spacer(0, 6)
    yield _build_paragraph(report_view.summary)
    if report_view.figures:
        value = _text_style(11, bold=True)
        cells = [
            [_build_paragraph(figure["title"], SMALL), _build_paragraph(figure["value"], value)]
            + ([_build_paragraph(figure["mark"], MARKED)] if "mark" in figure else [])
            for figure in report_view.figures
        ]
        table = Table([cells], colWidths=[WIDTH / len(cells)] * len(cells))
        table.setStyle(
            TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)])
        )
        table.spaceAfter = 6
        yield table
    yield _build_paragraph("Findings", HEAD)
    yield from (_build_finding_table(finding) for finding in report_view.findings)
    yield Spacer(0, 8)
    yield from _iterate_bullets("Recommended actions", report_view.recommendations)
    for heading, text in report_view.narrative:
        yield KeepTogether([_build_paragraph(heading, HEAD), _build_paragraph(text)])
        yield Spacer(0, 4)
    yield from (
        table for filled_table in report_view.tables for table in iterate_table(filled_table)
    )
    yield from (_build_chart(chart) for chart in report_view.charts)
    yield from _iterate_bullets("Sources", report_view.sources, SMALL)
    yield from _iterate_verification(report_view)


def _build_level_table(report_view: ReportView) -> Table:
    level = _text_style(14, bold=True, color=LEVEL_COLORS[report_view.level])
    left = [_build_paragraph(report_view.level, level), _build_paragraph(report_view.means, LABEL)]
    right = [
        _build_paragraph(f"Data quality {report_view.quality}", LABEL),
        _build_paragraph(report_view.quality_means, SMALL),
    ]
    if report_view.missing:
        right.append(_build_paragraph(f"Not available: {', '.join(report_view.missing)}", SMALL))
    table = Table([[left, right]], colWidths=[WIDTH * 0.5, WIDTH * 0.5])
    table.setStyle(
        TableStyle(
            [
                ("LINEBEFORE", (0, 0), (0, 0), 3, LEVEL_COLORS[report_view.level]),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    return table


def _build_finding_table(finding: Mapping[str, Any]) -> Table:
    level = _text_style(7.5, bold=True, color=LEVEL_COLORS[finding["level"]])
    says = [
        _build_paragraph(finding["sentence"]),
        _build_paragraph(f"{finding['code']} · {finding['reference']}", SMALL),
    ]
    table = Table(
        [[_build_paragraph(finding["level"], level), says]], colWidths=[WIDTH * 0.16, WIDTH * 0.84]
    )
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return table


def _iterate_bullets(heading: str, texts: Sequence[str], style: Any = BODY) -> Iterator[Flowable]:
    if not texts:
        return
    first, *others = [_build_paragraph(f"• {text}", style) for text in texts]
    # a heading stays on the page of its first line
    yield KeepTogether([_build_paragraph(heading, HEAD), first])
    yield from others
    yield Spacer(0, 8)


def _build_chart(chart: ChartDrawing) -> Flowable:
    rows = [
        [
            _build_paragraph(bar.label, LABEL),
            _draw_bar(chart, bar),
            _build_paragraph(bar.words, LABEL),
        ]
        for bar in chart.bars
    ]
    for label, slices in chart.rows:
        text = ", ".join(f"{slice_.name} {slice_.words}" for slice_ in slices)
        drawing = Drawing(*BAR_SIZE)
        for slice_ in slices:
            drawing.add(
                _build_rect(
                    slice_.start,
                    slice_.length,
                    SHARE_SHADES[slice_.place % len(SHARE_SHADES)],
                    white,
                )
            )
        rows.append([_build_paragraph(label, LABEL), drawing, _build_paragraph(text, SMALL)])
    table = Table(rows, colWidths=[WIDTH * 0.32, BAR_SIZE[0] + 8, WIDTH * 0.28 - 8])
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
            ]
        )
    )
    key: list[Flowable] = (
        [_build_paragraph(f"Dashed line: {chart.mark[1]}.", SMALL)] if chart.mark else []
    )
    key += [_draw_legend(chart.names)] if chart.names else []
    return KeepTogether(
        [Spacer(0, 4), _build_paragraph(chart.title, HEAD), *key, table, Spacer(0, 6)]
    )


def iterate_table(filled_table: FilledTable) -> Iterator[Flowable]:
    """Yield a table; its headings repeat on each page."""
    cells = [[_build_paragraph(name, HEADS) for name in filled_table.columns]]
    cells += [[_build_paragraph(text, CELL) for text in row] for row in filled_table.rows]
    table = Table(cells, colWidths=[WIDTH * part / 100 for part in filled_table.wide], repeatRows=1)
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        )
    )
    yield _build_paragraph(filled_table.title, HEAD)
    yield table
    yield Spacer(0, 8)


def _iterate_verification(report_view: ReportView) -> Iterator[Flowable]:
    """Yield what a reader needs to compare this document with the report that was sold."""
    yield KeepTogether(
        [
            _build_paragraph("Verification", HEAD),
            _build_paragraph(
                f"Report {report_view.report_id}, rules {report_view.rules}, made "
                f"{report_view.made}.",
                SMALL,
            ),
            _build_paragraph(
                f"SHA-256 of its JSON in RFC 8785 canonical form: {report_view.digest}", SMALL
            ),
            _build_paragraph(
                "Signature of that form (JWS, RFC 7515 appendix F), with the key "
                f"{report_view.key} from /reports/.well-known/jwks.json: {report_view.signature}",
                SMALL,
            ),
        ]
    )


def _draw_bar(chart: ChartDrawing, bar: Any) -> Drawing:
    wide, high = BAR_SIZE
    drawing = Drawing(wide, high)
    color = BELOW if bar.below else ACCENT
    drawing.add(_build_rect(bar.start, bar.length, color))
    drawing.add(_build_line(chart.zero, MUTED))
    if chart.mark:
        drawing.add(_build_line(chart.mark[0], MARK, [2, 1.5]))
    return drawing


def _draw_legend(names: Sequence[str]) -> Drawing:
    """Return the legend of shades."""
    drawing, step = Drawing(WIDTH, 12), WIDTH / len(names)
    for place, name in enumerate(names):
        shade = SHARE_SHADES[place % len(SHARE_SHADES)]
        drawing.add(
            Rect(step * place, 2, 8, 8, fillColor=shade, strokeColor=MUTED, strokeWidth=0.4)
        )
        drawing.add(
            String(step * place + 12, 3, name, fontName=PLAIN, fontSize=7.5, fillColor=MUTED)
        )
    return drawing


def _build_rect(start: float, length: float, color: Color, edge: Color | None = None) -> Rect:
    wide, high = BAR_SIZE
    return Rect(
        wide * start / 100, 1, wide * length / 100, high - 2, fillColor=color, strokeColor=edge
    )


def _build_line(at: float, color: Color, dashes: list[float] | None = None) -> Line:
    x = BAR_SIZE[0] * at / 100
    return Line(x, 0, x, BAR_SIZE[1], strokeColor=color, strokeWidth=0.7, strokeDashArray=dashes)
