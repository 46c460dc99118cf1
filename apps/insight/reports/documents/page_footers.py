"""Footers of PDF pages, with the number of the page and the number of pages."""

from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from apps.insight.reports.documents.fonts import PLAIN
from apps.insight.reports.documents.presenters import ReportView

SIDE, LOW = 18 * mm, 12 * mm
MUTED = HexColor("#555555")


def numbered_canvas(report_view: ReportView) -> type[Canvas]:
    """Return a canvas that writes at the foot of each page which report and which page it is."""

    class Numbered(Canvas):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            self._pages: list[dict[str, Any]] = []

        def showPage(self) -> None:
            # the number of pages is known only at the end: keep the state of each page, and draw
            # the footers in save()
            self._pages.append(dict(self.__dict__))
            # begins the next page without writing this one, as showPage() of the base class would
            self._startPage()

        def save(self) -> None:
            for page in self._pages:
                self.__dict__.update(page)
                _draw_footer(self, report_view, len(self._pages))
                super().showPage()
            super().save()

    return Numbered


def _draw_footer(canvas: Canvas, report_view: ReportView, pages: int) -> None:
    canvas.setFont(PLAIN, 7)
    canvas.setFillColor(MUTED)
    canvas.drawString(SIDE, LOW, f"Report {report_view.report_id} · rules {report_view.rules}")
    page = f"{report_view.made} · page {canvas.getPageNumber()} of {pages}"
    canvas.drawRightString(A4[0] - SIDE, LOW, page)
