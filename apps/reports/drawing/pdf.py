"""A report as a PDF (ISO 32000) of A4 pages, drawn of the same values as the page."""

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

from apps.reports.drawing.fonts import BOLD, PLAIN, marked, register
from apps.reports.drawing.paper import numbered
from apps.reports.drawing.shown import Shown, shown
from apps.reports.rules.charts import Drawn
from apps.reports.rules.listings import Listed

SIDE, TOP, BOTTOM = 18 * mm, 18 * mm, 20 * mm
WIDTH = A4[0] - 2 * SIDE
INK, MUTED, LINE, ACCENT = (HexColor(one) for one in ("#111111", "#555555", "#cccccc", "#1f4e79"))
LEVEL = {
    "LOW": HexColor("#1f6b3f"),
    "MODERATE": HexColor("#6f5700"),
    "ELEVATED": HexColor("#8f4b00"),
    "HIGH": HexColor("#9b1c15"),
    "CRITICAL": HexColor("#6a1790"),
}
# from light to dark, so that they differ in grey and to whoever is blind to colours
SHADES = tuple(HexColor(one) for one in ("#f3e7b3", "#e3b95c", "#c98035", "#8c4a2f", "#43202b"))
BELOW, MARK = HexColor("#e39a3b"), HexColor("#b3261e")
BAR = (WIDTH * 0.4, 9.0)


def _style(size: float, *, bold: bool = False, color: Color = INK, after: float = 0) -> Any:
    return ParagraphStyle(
        f"{size}{bold}{color}{after}",
        fontName=BOLD if bold else PLAIN,
        fontSize=size,
        leading=size * 1.4,
        textColor=color,
        spaceAfter=after,
        splitLongWords=True,
    )


BODY, SMALL = _style(9.5, after=4), _style(7.5, color=MUTED)
HEAD, KIND = _style(12, bold=True, after=3), _style(10, bold=True, color=ACCENT)
TITLE, LABEL = _style(17, bold=True, after=2), _style(8.5)
CELL, HEADS = _style(8), _style(7.5, bold=True, color=MUTED)
WARNS = _style(8.5, bold=True, color=LEVEL["ELEVATED"])
MARKED = _style(6.5, bold=True, color=LEVEL["ELEVATED"])


def pdf(body: Mapping[str, Any]) -> bytes:
    """Return the PDF of a report; the same report gives the same bytes."""
    register()
    told, out = shown(body), io.BytesIO()
    made = BaseDocTemplate(
        out,
        pagesize=A4,
        title=f"{told.title}: {told.about}",
        subject=told.summary,
        author="Compliance Oracle",
        lang="en",
        invariant=1,
        pageCompression=1,
    )
    frame = Frame(SIDE, BOTTOM, WIDTH, A4[1] - TOP - BOTTOM, 0, 0, 0, 0)
    made.addPageTemplates(
        [
            PageTemplate(
                frames=[frame],
            )
        ]
    )
    made.build([*_flow(told)], canvasmaker=numbered(told))
    return out.getvalue()


def _p(text: str, style: Any = BODY) -> Paragraph:
    return Paragraph(marked(text), style)


def _flow(told: Shown) -> Iterator[Flowable]:
    yield _p(told.title, KIND)
    yield _p(told.about, TITLE)
    yield _p(f"Report of {told.made} · period {told.period}", SMALL)
    yield from (_p(f"{mark}: {means}.", WARNS) for mark, means in told.marks)
    yield Spacer(0, 6)
    yield _standing(told)
    yield Spacer(0, 6)
    yield _p(told.summary)
    if told.figures:
        yield _figures(told.figures)
    yield _p("Findings", HEAD)
    yield from (_finding(one) for one in told.findings)
    yield Spacer(0, 8)
    yield from _listed("What follows", told.recommendations)
    for heading, text in told.narrative:
        yield KeepTogether([_p(heading, HEAD), _p(text)])
        yield Spacer(0, 4)
    yield from (table for one in told.tables for table in listing(one))
    yield from (_chart(one) for one in told.charts)
    yield from _listed("Sources", told.sources, SMALL)
    yield from _proof(told)


def _standing(told: Shown) -> Table:
    level = _style(14, bold=True, color=LEVEL[told.level])
    left = [_p(told.level, level), _p(told.means, LABEL)]
    right = [_p(f"Data quality {told.quality}", LABEL), _p(told.quality_means, SMALL)]
    if told.missing:
        right.append(_p(f"Not available: {', '.join(told.missing)}", SMALL))
    made = Table([[left, right]], colWidths=[WIDTH * 0.5, WIDTH * 0.5])
    made.setStyle(
        TableStyle(
            [
                ("LINEBEFORE", (0, 0), (0, 0), 3, LEVEL[told.level]),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        )
    )
    return made


def _figures(figures: Sequence[Mapping[str, str]]) -> Table:
    value = _style(11, bold=True)
    cells = [
        [_p(one["title"], SMALL), _p(one["value"], value)]
        + ([_p(one["mark"], MARKED)] if "mark" in one else [])
        for one in figures
    ]
    made = Table([cells], colWidths=[WIDTH / len(cells)] * len(cells))
    made.setStyle(
        TableStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (-1, -1), 0)])
    )
    made.spaceAfter = 6
    return made


def _finding(one: Mapping[str, Any]) -> Table:
    level = _style(7.5, bold=True, color=LEVEL[one["level"]])
    says = [_p(one["sentence"]), _p(f"{one['code']} · {one['reference']}", SMALL)]
    made = Table([[_p(one["level"], level), says]], colWidths=[WIDTH * 0.16, WIDTH * 0.84])
    made.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, LINE),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
            ]
        )
    )
    return made


def _listed(heading: str, texts: Sequence[str], style: Any = BODY) -> Iterator[Flowable]:
    if not texts:
        return
    first, *others = [_p(f"• {text}", style) for text in texts]
    yield KeepTogether([_p(heading, HEAD), first])
    yield from others
    yield Spacer(0, 8)


def _chart(chart: Drawn) -> Flowable:
    rows = [[_p(one.label, LABEL), _bar(chart, one), _p(one.words, LABEL)] for one in chart.bars]
    for label, slices in chart.rows:
        said = ", ".join(f"{one.name} {one.words}" for one in slices)
        rows.append([_p(label, LABEL), _slices(slices), _p(said, SMALL)])
    made = Table(rows, colWidths=[WIDTH * 0.32, BAR[0] + 8, WIDTH * 0.28 - 8])
    made.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (0, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
            ]
        )
    )
    key: list[Flowable] = [_p(f"Dashed line: {chart.mark[1]}.", SMALL)] if chart.mark else []
    key += [_names(chart.names)] if chart.names else []
    return KeepTogether([Spacer(0, 4), _p(chart.title, HEAD), *key, made, Spacer(0, 6)])


def listing(one: Listed) -> Iterator[Flowable]:
    """Yield a table; its heads are told again on each page that it goes on to."""
    cells = [[_p(name, HEADS) for name in one.columns]]
    cells += [[_p(text, CELL) for text in row] for row in one.rows]
    made = Table(cells, colWidths=[WIDTH * part / 100 for part in one.wide], repeatRows=1)
    made.setStyle(
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
    yield _p(one.title, HEAD)
    yield made
    yield Spacer(0, 8)


def _proof(told: Shown) -> Iterator[Flowable]:
    """Yield by what a reader holds this paper against the report as it was sold."""
    yield KeepTogether(
        [
            _p("Verification", HEAD),
            _p(f"Report {told.report_id}, rules {told.rules}, made {told.made}.", SMALL),
            _p(f"SHA-256 of its JSON in the form of RFC 8785: {told.digest}", SMALL),
            _p(
                f"Signature of that form (JWS, RFC 7515 appendix F), by the key {told.key} of "
                f"/reports/.well-known/jwks.json: {told.signature}",
                SMALL,
            ),
        ]
    )


def _bar(chart: Drawn, one: Any) -> Drawing:
    wide, high = BAR
    made = Drawing(wide, high)
    color = BELOW if one.below else ACCENT
    made.add(_rect(one.start, one.length, color))
    made.add(_line(chart.zero, MUTED))
    if chart.mark:
        made.add(_line(chart.mark[0], MARK, [2, 1.5]))
    return made


def _slices(slices: Sequence[Any]) -> Drawing:
    made = Drawing(*BAR)
    for one in slices:
        made.add(_rect(one.start, one.length, SHADES[one.place % len(SHADES)], white))
    return made


def _names(names: Sequence[str]) -> Drawing:
    """Return what shade stands for what."""
    made, step = Drawing(WIDTH, 12), WIDTH / len(names)
    for place, name in enumerate(names):
        shade = SHADES[place % len(SHADES)]
        made.add(Rect(step * place, 2, 8, 8, fillColor=shade, strokeColor=MUTED, strokeWidth=0.4))
        made.add(String(step * place + 12, 3, name, fontName=PLAIN, fontSize=7.5, fillColor=MUTED))
    return made


def _rect(start: float, length: float, color: Color, edge: Color | None = None) -> Rect:
    wide, high = BAR
    return Rect(
        wide * start / 100, 1, wide * length / 100, high - 2, fillColor=color, strokeColor=edge
    )


def _line(at: float, color: Color, dashes: list[float] | None = None) -> Line:
    x = BAR[0] * at / 100
    return Line(x, 0, x, BAR[1], strokeColor=color, strokeWidth=0.7, strokeDashArray=dashes)
