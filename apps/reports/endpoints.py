"""The endpoints of the report service (document 2 sections 2.6, 4 and 5), of the catalogue."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint, Form, Preview
from apps.core.pipeline import Answer
from apps.reports import answering, proving
from apps.reports.catalogue import REPORTS
from apps.reports.drawing.page import page
from apps.reports.serializers import ReportOut
from apps.reports.shape import Report
from apps.signals.quality import Unavailable

SERVICE = "reports"
TOLD = {
    "X-SVC-Report-Id": "`data.reportId` of the body.",
    "X-SVC-Report-Signature": "A JWS of the body in the form of RFC 8785, which is left out of it "
    "(RFC 7515 appendix F); its key is in `.well-known/jwks.json`.",
    "X-SVC-Cache-Hit": "Whether the report was made for an earlier call: true or false.",
}
SERVES = (
    "\n\nPaid for by x402: without a payment the 402 says what is in it and what it costs. The "
    "same report serves for 60 minutes whoever asks the same; each call is paid for. `Accept: "
    "text/html` gives a page with charts, `application/pdf` a PDF, of the same report."
)


def _pdf(body: Mapping[str, Any]) -> bytes:
    """Return a report as PDF; the library is loaded at the first one."""
    from apps.reports.drawing.pdf import pdf

    return pdf(body)


def _file(body: Mapping[str, Any]) -> str:
    return f"{body['reportType']}-report-{body['period']}.pdf"


def _told(body: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a report that is told again: it was made for an earlier call."""
    return {
        "X-SVC-Report-Id": body["data"]["reportId"],
        "X-SVC-Report-Signature": proving.signature(body),
        "X-SVC-Cache-Hit": "true",
    }


FORMS: Mapping[str, Form] = {
    "text/html": Form(page),
    "application/pdf": Form(_pdf, name=_file),
}


def row(report: Report) -> Endpoint:
    """Return the row of a report."""

    def gather(*, asked: Mapping[str, Any], now: datetime) -> Any:
        return answering.gather(report, asked=asked, now=now)

    def conclude(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
        return answering.conclude(report, gathered=gathered, caller=caller, now=now)

    return Endpoint(
        name=f"{report.name}-report",
        method="GET",
        path=f"report/{report.name}",
        service=SERVICE,
        spec="2 §4",
        about=report.about + SERVES,
        access=Access(price=report.price, pays=True, beside=report.beside),
        asks=report.asks,
        make=report.make,
        answers=ReportOut,
        example=report.example,
        gather=gather,
        conclude=conclude,
        headers=TOLD,
        told=_told,
        problems=(*report.problems, Unavailable),
        preview=Preview(report.title, report.gives),
        forms=FORMS,
    )


ENDPOINTS = tuple(row(report) for report in REPORTS)
