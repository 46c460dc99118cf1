"""What the desk shows of payments: lists, a month's takings, and an export that is streamed."""

import csv
import io
import zipfile
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.access.keys import metering
from apps.access.keys.metering import get_month
from apps.access.paywall import labels, revenue
from apps.access.paywall.models import PaymentClaim, Receipt, State, StreamSession
from apps.platform.common.clock import now
from tests.paywall.payer import ALICE, PayingClient, v1
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
LIST = "/admin/paywall/paymentclaim/"


@pytest.fixture
def sold(screen: Any) -> Any:
    """Sell two screens and a session of one USDC, of which 70 cents are owed back."""
    for name in ("Blue Heron", "Grey Heron"):
        assert screen(v1(screen().json()["accepts"][0]), name=name).status_code == 200
    body = {"amountUsdc": "1.00", "unitType": "call"}
    opened = PayingClient().post("/compliance/stream/open", body, format="json").json()
    head = {"X-Stream-Session": opened["secret"]}
    path = f"/compliance/stream/{opened['sessionId']}"
    tick = {"tickId": "t", "unit": "call", "count": 30}
    PayingClient().post(f"{path}/tick", tick, format="json", headers=head)
    PayingClient().post(f"{path}/close", headers=head)
    return opened


def test_a_month_adds_up_by_resource_and_day(sold: Any) -> None:
    monthly_revenue = revenue.load_monthly_revenue(get_month(now()))
    lines = [(line.resource, line.payments, line.amount) for line in monthly_revenue.lines]
    assert lines == [("stream-open", 1, Decimal("1")), ("screen", 2, Decimal("0.02"))]
    assert (monthly_revenue.total, monthly_revenue.owed) == (Decimal("1.02"), Decimal("0.7"))
    assert (
        sum(monthly_revenue.payments) == 3 and sum(monthly_revenue.amounts) == monthly_revenue.total
    )


def test_a_month_lasts_from_its_first_moment_to_before_that_of_the_next(db: None) -> None:
    tick = timedelta(microseconds=1)
    december, january = datetime(2026, 12, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    moments = (december - tick, december, january - tick, january)
    for number, moment in enumerate(moments):
        Receipt.write(
            payload={},
            now=moment,
            kind=Receipt.Kind.PAYMENT,
            claim_id=number,
            resource="screen",
            amount=Decimal(10**number),
            network="base",
            facilitator="sandbox",
            transaction="",
        )
    found = {
        month: revenue.load_monthly_revenue(month).total
        for month in ("2026-11", "2026-12", "2027-01")
    }
    assert found == {"2026-11": 1, "2026-12": 110, "2027-01": 1000}


def test_the_page_of_takings_draws_them(sold: Any) -> None:
    desk = at_desk(person("otto", "Operator"))
    html = check_page(desk.get(f"{LIST}takings/"))
    month = f"{now():%b %Y}"
    assert f"<h2>Payments per day, {month}</h2>" in html and f"Total, {month}" in html
    assert ">stream-open" not in html and "Opens a stream session" in html
    total, owed, waiting = (
        part.split("</tr>")[0] for part in html.split("<tfoot>")[1].split("<tr>")[1:4]
    )
    assert '<td class="num">3</td>' in total and "<strong>1.02</strong>" in total
    assert "0.70" in owed and '<td class="num">0</td><td class="num">0.00</td>' in waiting
    assert "No payments in Feb 2020" in check_page(desk.get(f"{LIST}takings/?month=2020-02"))
    assert desk.get(f"{LIST}takings/?month=2020-13").status_code == 404


def test_the_page_of_takings_leads_to_its_export(sold: Any) -> None:
    page = check_page(at_desk(person("eve", "Examiner")).get(f"{LIST}takings/?month=2024-02"))
    for name, value in (("what", "receipts"), ("since", "2024-02-01"), ("until", "2024-02-29")):
        assert f'name="{name}" value="{value}"' in page
    assert "/admin/oversight/exportevent/run/" in page
    assert "exportevent/run" not in check_page(
        at_desk(person("otto", "Operator")).get(f"{LIST}takings/")
    )


def test_the_lists_show_payments_receipts_and_sessions_and_no_secret(sold: Any) -> None:
    desk = at_desk(person("otto", "Operator"))
    payer = ALICE.address.lower()
    assert payer in check_page(desk.get(f"{LIST}?state=SETTLED&resource=screen"))
    claim = PaymentClaim.objects.earliest("pk")
    shown = check_page(desk.get(f"{LIST}{claim.pk}/change/"))
    assert claim.transaction in shown and claim.answer[:40] not in shown
    assert "The money arrived, and the call was answered." in shown and "Base" in shown
    receipt = check_page(
        desk.get(f"/admin/paywall/receipt/{Receipt.objects.earliest('pk').pk}/change/")
    )
    assert f"Wallet that paid: {payer}" in receipt and "{&quot;" not in receipt
    assert "REFUND" in check_page(desk.get("/admin/paywall/receipt/")).upper()
    session = StreamSession.objects.get()
    page = check_page(desk.get(f"/admin/paywall/streamsession/{session.pk}/change/"))
    assert "30 call" in page and session.digest not in page


def test_a_payment_its_receipts_and_its_session_lead_to_each_other(sold: Any) -> None:
    desk = at_desk(person("otto", "Operator"))
    session = StreamSession.objects.get()
    paid, owed = Receipt.objects.filter(claim_id=session.claim_id).order_by("kind")
    ends = [("receipt", paid.pk), ("receipt", owed.pk), ("streamsession", session.pk)]
    payment = f"{LIST}{session.claim_id}/change/"
    page = check_page(desk.get(payment))
    assert "<h1>1.00 USDC: Opens a stream session</h1>" in page
    for name, pk in ends:
        there = f"/admin/paywall/{name}/{pk}/change/"
        assert f'href="{there}"' in page
        assert f'href="{payment}"' in check_page(desk.get(there))


@pytest.mark.parametrize("name", ["paymentclaim", "receipt"])
def test_filters_say_what_was_bought_in_words(sold: Any, name: str) -> None:
    page = check_page(at_desk(person("otto", "Operator")).get(f"/admin/paywall/{name}/"))
    assert ">Opens a stream session</a>" in page and ">stream-open</a>" not in page


def test_an_examiner_exports_the_receipts(sold: Any) -> None:
    desk = at_desk(person("eve", "Examiner"))
    today = f"{now():%Y-%m-%d}"
    span = {"what": "receipts", "since": today, "until": today}
    answer = desk.post("/admin/oversight/exportevent/run/", span)
    assert answer.streaming  # type: ignore[attr-defined]
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))  # type: ignore[attr-defined]
    name = next(one for one in archive.namelist() if one.endswith(".csv"))
    rows = list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig"))))
    assert len(rows) == Receipt.objects.count() == 4
    assert {row["kind"] for row in rows} == {"PAYMENT", "REFUND_DUE"}
    assert sum(Decimal(r["amount USDC"]) for r in rows if r["kind"] == "PAYMENT") == Decimal("1.02")


@pytest.mark.parametrize(
    ("amount", "said"),
    [("1", "1.00"), ("0.5", "0.50"), ("0.015", "0.015"), ("1234567.10", "1,234,567.10")],
)
def test_sums_have_two_decimals_or_those_that_they_have(amount: str, said: str) -> None:
    assert labels.format_usdc(Decimal(amount)) == said


def test_each_state_of_a_payment_says_what_it_means() -> None:
    said = {
        (state, answered): labels.describe_payment_state(state=state, answered=answered)
        for state in State.values
        for answered in (False, True)
    }
    assert all(said.values())
    assert (
        "refunded to the wallet" in said["OWED", False]
        and "not answered yet" in said["SETTLED", False]
    )
    assert "not answered" not in said["SETTLED", True]


def test_a_month_is_told_in_words() -> None:
    months = [
        metering.format_month(month) for month in ("2026-01", "2026-12", "2026-13", "2026-00", "x")
    ]
    assert months == ["Jan 2026", "Dec 2026", "2026-13", "2026-00", "x"]
