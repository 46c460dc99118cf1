"""Viewsets of the reports (document 2 sections 2.6, 4 and 5), one for each of the catalogue."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from apps.insight.reports import signatures
from apps.insight.reports.api.renderers import DocumentRenderer
from apps.insight.reports.catalogue import REPORTS
from apps.insight.reports.definitions import Report
from apps.insight.reports.documents.html_report import render_page
from apps.insight.reports.serializers.reports import ReportOut
from apps.insight.reports.services import paid_reports
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, Preview, operation
from apps.platform.api.viewsets import OperationViewSet
from apps.reference.signals.quality import TooFewInputs

HEADERS = {
    "X-SVC-Report-Id": "`data.reportId` of the body.",
    "X-SVC-Report-Signature": "A JWS with detached content (RFC 7515 appendix F). The content is "
    "the body in RFC 8785 canonical form; the key is in `.well-known/jwks.json`.",
    "X-SVC-Cache-Hit": "Whether the report was generated for an earlier call: true or false.",
}
SERVING_NOTE = (
    "\n\nPaid for by x402: without a payment the 402 states the contents and the price. For 60 "
    "minutes the same request gets the same report, whoever sends it; each call is paid for. "
    "`Accept: text/html` returns the same report as a page with charts, `application/pdf` as a PDF."
)


class ReportPage(DocumentRenderer):
    """A report as a page with charts."""

    media_type, format, charset = "text/html", "html", "utf-8"

    def draw(self, body: Mapping[str, Any]) -> bytes:
        return render_page(body)


class ReportPDF(DocumentRenderer):
    """A report as PDF."""

    media_type, format = "application/pdf", "pdf"

    def draw(self, body: Mapping[str, Any]) -> bytes:
        # reportlab is loaded when the first PDF is drawn, not when a worker starts
        from apps.insight.reports.documents.pdf import render_pdf

        return render_pdf(body)

    def file_name(self, body: Mapping[str, Any]) -> str:
        return f"{body['reportType']}-report-{body['period']}.pdf"


def _repeat_headers(body: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a report that is served again, made for an earlier call."""
    return {
        "X-SVC-Report-Id": body["data"]["reportId"],
        "X-SVC-Report-Signature": signatures.sign_report(body),
        "X-SVC-Cache-Hit": "true",
    }


def build_report_viewset(report: Report) -> type[OperationViewSet]:
    """Return the viewset of a report of the catalogue."""

    def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
        return paid_reports.gather_report(report, asked=asked, now=now)

    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        return paid_reports.conclude_report(report, gathered=gathered, caller=caller, now=now)

    class ReportViewSet(OperationViewSet):
        """One report (document 2 section 2.6)."""

        renderer_classes = (JSONRenderer, ReportPage, ReportPDF)

        @operation(
            f"{report.name}-report",
            spec="2 §4",
            description=report.about + SERVING_NOTE,
            access=Access(price=report.price, pays=True, beside=report.beside),
            request=report.asks,
            response=ReportOut,
            example=report.example,
            response_headers=HEADERS,
            repeat_headers=_repeat_headers,
            problems=(*report.problems, TooFewInputs),
            preview=Preview(report.title, report.gives),
            file_types=(ReportPage.media_type, ReportPDF.media_type),
        )
        def list(self, request: Request) -> HttpResponseBase:
            return self.run(gather, conclude, self.build if report.beside else report.make)

        def build(self, **asked: Any) -> Any:
            """Return the request with the account that is reported on, and the paying wallet."""
            caller = self.grant.caller if self.grant else Caller("", "")
            return report.make(**asked, account=caller.account, payer=caller.wallet)

    return ReportViewSet


VIEWSETS = {f"report/{report.name}": build_report_viewset(report) for report in REPORTS}
