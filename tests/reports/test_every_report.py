"""Every report, bought by who pays: its envelope, its findings, its narrative."""

from datetime import UTC, datetime
from typing import Any

import pytest

from apps.access.paywall.models import Receipt
from apps.insight.reports.catalogue import REPORTS
from apps.insight.reports.definitions import Report
from apps.insight.reports.models import PaidReport
from tests.reports.buyer import Buyer, report
from tests.reports.sample_payments import crowd
from tests.screening.conftest import forget_sample, load_sample
from tests.strangers.readers import read_pdf

pytestmark = pytest.mark.django_db
each = pytest.mark.parametrize("sold", REPORTS, ids=lambda one: one.name)
MOST_ASKED = 1_000_000_000


@pytest.fixture
def bob(alice: Buyer) -> Any:
    """Somebody who pays, where every sample is loaded."""
    forget_sample()
    load_sample()
    crowd(datetime(2026, 10, 5, 9, 0, tzinfo=UTC))
    yield Buyer("Bob SA")
    forget_sample()


@each
def test_its_example_is_sold_once_as_an_envelope(bob: Buyer, sold: Report) -> None:
    answer = bob.buy(sold.name, dict(sold.example))
    told = report(answer)
    assert set(told) == {"reportType", "period", "generatedAt", "synthesis", "data", "sources"}
    assert told["reportType"] == sold.name and told["sources"]
    assert answer["X-SVC-Cache-Hit"] == "false" and "X-PAYMENT-RESPONSE" in answer
    assert PaidReport.objects.get().kind == sold.name
    assert Receipt.objects.get().amount * 1_000_000 == sold.price.paid


@each
def test_every_pdf_is_read_by_strangers(bob: Buyer, sold: Report) -> None:
    example = dict(sold.example)
    told = report(bob.buy(sold.name, example))
    pages = read_pdf(bob.again(sold.name, example, Accept="application/pdf").content)
    assert told["data"]["reportId"] in "".join("".join(pages).split())


@each
def test_each_finding_has_its_rule_and_its_number(bob: Buyer, sold: Report) -> None:
    told = report(bob.buy(sold.name, dict(sold.example)))
    codes = {rule.code for rule in sold.rules}
    assert told["data"]["findings"]
    for finding in told["data"]["findings"]:
        assert finding["code"] in codes and any(letter.isdigit() for letter in finding["sentence"])


@each
def test_it_says_the_same_however_often_it_is_made(bob: Buyer, sold: Report) -> None:
    first = report(bob.buy(sold.name, dict(sold.example)))
    from tests.platform.tampering import sql, without_triggers

    with without_triggers():
        sql("DELETE FROM reports_paidreport")
    second = report(bob.buy(sold.name, dict(sold.example)))
    assert first["data"]["reportId"] != second["data"]["reportId"]
    assert first["synthesis"] == second["synthesis"]
