"""A report as a page and as a PDF: after payment, of the very report that was sold."""

import json
import re
from typing import Any

import pytest

from apps.access.paywall.models import Receipt
from apps.insight.reports.api.viewsets import ReportPDF
from apps.insight.reports.catalogue import REPORTS
from apps.insight.reports.definitions import Report
from apps.insight.reports.documents import pdf
from tests.reports.buyer import Buyer, report

pytestmark = pytest.mark.django_db
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("image/png", "application/json"),
        (BROWSER, "text/html; charset=utf-8"),
        ("application/pdf", "application/pdf"),
        ("application/pdf;q=0.5, text/html;q=0.4", "application/pdf"),
    ],
)
def test_it_comes_in_the_form_that_is_asked_for(alice: Buyer, accept: str, kind: str) -> None:
    answer = alice.buy("macro", Accept=accept)
    assert (answer.status_code, answer["Content-Type"]) == (200, kind)
    assert "Accept" in answer["Vary"] and answer["Cache-Control"] == "no-store"
    assert int(answer["Content-Length"]) == len(answer.content)
    assert Receipt.objects.count() == 1


def test_without_payment_there_is_neither_page_nor_pdf(alice: Buyer) -> None:
    for accept in (BROWSER, "application/pdf"):
        answer = alice.ask("macro", Accept=accept)
        assert answer.status_code == 402
        assert answer["Content-Type"] == "application/problem+json"


def test_one_payment_gets_every_form_of_its_report(alice: Buyer) -> None:
    told = report(alice.buy("macro"))
    page = alice.again("macro", Accept=BROWSER).content.decode()
    drawn = alice.again("macro", Accept="application/pdf")
    assert told["data"]["reportId"] in page
    assert drawn.content.startswith(b"%PDF-")
    assert drawn["Content-Disposition"] == 'inline; filename="macro-report-2026-11-20.pdf"'
    assert Receipt.objects.count() == 1


def test_the_page_says_every_finding_and_asks_nothing_of_other_hosts(alice: Buyer) -> None:
    told = report(alice.buy("macro"))
    page = alice.again("macro", Accept=BROWSER).content.decode()
    for key_finding in told["synthesis"]["keyFindings"]:
        assert key_finding.split(",")[0][:40] in page.replace("&#x27;", "'")
    body = page.split("<details>")[0]
    assert not re.search(r'(src|href)="(https?:)?//', body)
    assert "<script" not in page and "style=" not in page


def test_what_cannot_be_drawn_is_answered_as_json(alice: Buyer, monkeypatch: Any) -> None:
    def fails(body: Any) -> bytes:
        raise RuntimeError("no ink")

    monkeypatch.setattr(pdf, "render_pdf", fails)
    answer = alice.buy("macro", Accept="application/pdf")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert json.loads(answer.content)["reportType"] == "macro"


@pytest.mark.parametrize("sold", REPORTS, ids=lambda one: one.name)
def test_the_same_report_is_the_same_pdf(alice: Buyer, sold: Report) -> None:
    if sold.name not in ("macro", "climate"):
        return
    told = report(alice.buy(sold.name))
    assert ReportPDF().draw(told) == ReportPDF().draw(told)


def test_names_in_any_script_are_written(alice: Buyer) -> None:
    told = report(alice.buy("macro"))
    told["data"]["about"] = "Газпром 中国石油 トヨタ 삼성 \u0e01 <b>&"
    assert pdf.render_pdf(told).startswith(b"%PDF-")
    assert "[U+0E01]" in pdf.mark_up_text(told["data"]["about"])
    assert "&lt;b&gt;&amp;" in pdf.mark_up_text(told["data"]["about"])
