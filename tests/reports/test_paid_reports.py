"""Reports out of the cache and new ones: what serves whom, what is charged, what is kept."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.access.paywall.models import PaymentClaim, Receipt
from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.models import IntelligenceAnswer
from apps.insight.intelligence.services import paid_answers as intelligence
from apps.insight.reports.catalogue import report_of
from apps.insight.reports.models import PaidReport
from apps.insight.reports.services import paid_reports
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer
from apps.platform.common.problems import Conflict, DomainError, NotFound
from tests.conftest import NOON
from tests.platform.tampering import sql, without_triggers
from tests.reports.buyer import Buyer, report

pytestmark = pytest.mark.django_db
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)


def test_a_second_call_within_the_hour_is_the_same_report_and_is_paid_for(alice: Buyer) -> None:
    first, second = alice.buy("macro"), Buyer("Bob SA").buy("macro")
    assert report(first) == report(second)
    assert (first["X-SVC-Cache-Hit"], second["X-SVC-Cache-Hit"]) == ("false", "true")
    assert (PaidReport.objects.count(), Receipt.objects.count()) == (1, 2)


@pytest.mark.parametrize(("later", "same"), [(HOUR - SECOND, True), (HOUR, False)])
def test_a_report_serves_for_an_hour_from_when_it_was_made(
    alice: Buyer, at: Callable[..., None], later: timedelta, same: bool
) -> None:
    at(NOON + timedelta(minutes=7))
    first = report(alice.buy("macro"))
    at(NOON + timedelta(minutes=7) + later)
    assert (report(alice.buy("macro"))["data"]["reportId"] == first["data"]["reportId"]) is same


def test_the_same_payment_again_is_the_same_report_and_is_not_taken_twice(alice: Buyer) -> None:
    first = alice.buy("macro")
    again = alice.again("macro")
    assert report(again) == report(first) and again["Idempotent-Replayed"] == "true"
    assert again["X-SVC-Report-Id"] == first["X-SVC-Report-Id"]
    assert again["X-SVC-Cache-Hit"] == "true"
    assert Receipt.objects.count() == 1


def test_a_payment_for_one_report_does_not_buy_another(alice: Buyer) -> None:
    alice.buy("macro")
    alice.client.credentials()
    answer = alice.client.get("/reports/report/macro", {"strange": "1"}, headers=alice.paid)
    assert answer.status_code == 400


def test_without_its_data_there_is_no_report_and_no_charge(
    db: None, at: Callable[..., None]
) -> None:
    at(NOON, run=False)
    answer = Buyer("Alice Ltd").buy("macro")
    assert answer.status_code == 503 and int(answer["Retry-After"]) > 0
    assert not Receipt.objects.exists() and not PaidReport.objects.exists()
    assert not PaymentClaim.objects.exists()


@pytest.mark.parametrize("product", ["transition-risk", "sovereign-debt"])
@pytest.mark.parametrize("problem", [Conflict, NotFound])
def test_a_part_that_refuses_makes_no_report_and_no_charge_required_or_not(
    alice: Buyer, monkeypatch: Any, product: str, problem: type[DomainError]
) -> None:
    real = intelligence.gather_answer

    def refuses(row: Product, **asked: Any) -> Any:
        if row.name == product:
            raise problem("Not now.")
        return real(row, **asked)

    monkeypatch.setattr(intelligence, "gather_answer", refuses)
    assert alice.buy("macro").status_code == problem.status
    assert not PaidReport.objects.exists() and not Receipt.objects.exists()


def test_what_fails_on_our_side_after_the_payment_is_answered_for_the_same_payment(
    alice: Buyer, monkeypatch: Any
) -> None:
    def fails(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(PaidReport, "write", fails)
        assert alice.buy("macro").status_code == 500
    assert not PaidReport.objects.exists()
    report(alice.again("macro"))
    assert Receipt.objects.count() == 1


def test_of_two_that_make_the_same_report_the_first_is_right(alice: Buyer) -> None:
    macro = report_of("macro")
    assert macro is not None
    late = paid_reports.gather_report(macro, asked={}, now=NOON)
    first = report(alice.buy("macro"))
    told = paid_reports.conclude_report(macro, gathered=late, caller=None, now=NOON)  # type: ignore[arg-type]
    assert told.values == RenderedAnswer(first)
    assert PaidReport.objects.count() == 1


def test_an_altered_report_is_never_sold_again(alice: Buyer) -> None:
    first = report(alice.buy("macro"))
    with without_triggers():
        sql("UPDATE reports_paidreport SET payload = replace(payload, 'stability', 'quality')")
    second = report(alice.buy("macro"))
    assert second["data"]["reportId"] != first["data"]["reportId"]
    assert PaidReport.objects.count() == 2


def forge(edition: int) -> None:
    """Put in a copy of the last record as another edition."""
    names = [
        concrete_field.column
        for concrete_field in PaidReport._meta.concrete_fields
        if not concrete_field.primary_key
    ]
    put = {"edition": str(edition), "report_id": f"'{uuid.uuid4().hex}'"}
    mine = ", ".join(f'"{name}"' for name in names)
    theirs = ", ".join(put.get(name, f'"{name}"') for name in names)
    with without_triggers():
        sql(f"INSERT INTO reports_paidreport ({mine}) SELECT {theirs} FROM reports_paidreport "
            "ORDER BY id LIMIT 1")  # fmt: skip


@pytest.mark.parametrize("edition", [2, 2**31 - 1])
def test_a_forged_edition_is_neither_sold_nor_in_the_way(
    alice: Buyer, at: Callable[..., None], edition: int
) -> None:
    first = report(alice.buy("macro"))
    forge(edition)
    assert report(Buyer("Bob SA").buy("macro")) == first
    at(NOON + HOUR)
    second, third = report(alice.buy("macro")), report(Buyer("Bob SA").buy("macro"))
    assert second["data"]["reportId"] != first["data"]["reportId"]
    assert third == second


def test_an_edition_that_is_forged_during_the_payment_is_not_in_the_way(
    alice: Buyer, at: Callable[..., None]
) -> None:
    macro = report_of("macro")
    assert macro is not None
    first = report(alice.buy("macro"))
    at(NOON + HOUR)
    late = paid_reports.gather_report(macro, asked={}, now=NOON + HOUR)
    forge(late.edition)
    caller = Caller("", "NOBODY")
    sold = paid_reports.conclude_report(macro, gathered=late, caller=caller, now=NOON + HOUR)
    assert sold.values["data"]["reportId"] != first["data"]["reportId"]
    stored = paid_reports.find_newest_report(macro, late.subject)
    assert stored is not None and stored.edition == late.edition + 1
    assert str(stored.report_id) == sold.values["data"]["reportId"]


def test_where_forged_rows_leave_no_edition_nothing_is_charged(
    alice: Buyer, at: Callable[..., None]
) -> None:
    report(alice.buy("macro"))
    for edition in range(2, 2 + paid_reports.EDITION_LIMIT):
        forge(edition)
    at(NOON + HOUR)
    answer = alice.buy("macro")
    assert answer.status_code == 503 and Receipt.objects.count() == 1


def test_a_report_is_kept_with_what_it_rests_on(alice: Buyer) -> None:
    told = report(alice.buy("macro"))
    paid_report = PaidReport.objects.get()
    inputs = paid_report.data["inputs"]
    assert set(inputs) == {"stability", "stress", "outlook", "debt"}
    assert inputs["stability"]["runId"] == told["data"]["stability"]["oracle"]["runId"]
    assert inputs["stress"]["product"] == "macro-stress" and len(inputs["stress"]["answer"]) == 64
    assert (paid_report.level, paid_report.quality) == (
        told["synthesis"]["riskLevel"],
        told["synthesis"]["dataQuality"],
    )


def test_answers_that_a_report_is_made_of_are_kept_as_if_they_were_asked_for(alice: Buyer) -> None:
    alice.buy("macro")
    assert set(IntelligenceAnswer.objects.values_list("product", flat=True)) == {
        "macro-stress",
        "transition-risk",
        "sovereign-debt",
    }
