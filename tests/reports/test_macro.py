"""The macro report, as it is bought: its envelope, and what follows from made-up data."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.paywall.models import Receipt
from apps.insight.reports.models import PaidReport
from apps.insight.reports.rules import macro
from tests.reports.buyer import Buyer, report

pytestmark = pytest.mark.django_db


def test_without_payment_it_says_what_is_in_it_and_what_it_costs(api: APIClient) -> None:
    answer = api.get("/reports/report/macro")
    body = answer.json()
    assert answer.status_code == 402
    assert body["x402Version"] == 1 and body["accepts"][0]["maxAmountRequired"] == "2000000"
    assert body["reportPreview"]["type"] == "Macro report"
    assert body["reportPreview"]["fee"] == {"amountUsdc": "2.00", "asset": "USDC"}
    assert len(body["reportPreview"]["whatYouGet"]) == 5


def test_a_report_has_its_envelope(alice: Buyer) -> None:
    answer = alice.buy("macro")
    told: dict[str, Any] = report(answer)
    assert set(told) == {"reportType", "period", "generatedAt", "synthesis", "data", "sources"}
    assert (told["reportType"], told["period"]) == ("macro", "2026-11-20")
    assert told["generatedAt"] == "2026-11-20T12:00:00.000Z"
    assert told["synthesis"]["dataQuality"] == "ESTIMATED"
    assert told["data"]["stability"]["stability"]["currentScore"] > 90
    assert answer["X-SVC-Report-Id"] == told["data"]["reportId"]
    assert Receipt.objects.count() == PaidReport.objects.count() == 1


def test_findings_of_old_figures_say_of_when_they_are(alice: Buyer) -> None:
    sentence_by_code = {
        finding["code"]: finding["sentence"]
        for finding in report(alice.buy("macro"))["data"]["findings"]
    }
    assert "as of 2025-07-31 (477 days before)" in sentence_by_code["MACRO-REGIME-CRITICAL"]
    assert (
        "was inverted" in sentence_by_code["MACRO-CURVE"]
        and "as of 2023-11-30" in sentence_by_code["MACRO-CURVE"]
    )


@pytest.mark.parametrize(("moment", "old"), [("2026-08-20", False), ("2026-08-19", True)])
def test_an_age_is_told_in_days_from_three_months_on(moment: str, old: bool) -> None:
    data = {"stability": {"oracle": {"computedAt": "2026-11-20T12:00:00.000Z"}}}
    assert ("days before" in macro._format_as_of(data, f"{moment}T00:00:00.000Z")) is old


def test_every_finding_has_its_number_and_its_reference(alice: Buyer) -> None:
    told = report(alice.buy("macro"))
    findings = told["data"]["findings"]
    assert [finding["sentence"] for finding in findings] == told["synthesis"]["keyFindings"]
    for finding in findings:
        assert any(letter.isdigit() for letter in finding["sentence"]) and finding["reference"]
