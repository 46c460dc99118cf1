"""The ESG fee of a payment is that of the live score, as document 3 section 2.4 says of quotes."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.esg.oracle.services import oracle_runs
from apps.insight.stability.fees.rules.fees import PricedPayment as Priced
from apps.insight.stability.fees.rules.fees import compute_fees
from apps.insight.stability.models import Quote
from apps.payments.payments.models import Payment
from apps.platform.common.clock import now
from tests.esg.oracle.sample_runs import TOLD
from tests.payments.conftest import work
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db


def live(points: str) -> Any:
    """Let the live score be this one."""
    run = oracle_runs.store_run(payload=TOLD, points=Decimal(points), quality="LIVE", now=now())
    assert run is not None
    return run


def settled(send: Callable[..., Any]) -> Payment:
    """A payment of 250 USD that settled."""
    send()
    work()
    payment = Payment.objects.get()
    assert payment.state == "SETTLED", payment.trouble
    return payment


@pytest.mark.parametrize(("points", "esg_usd"), [("100", "0"), ("62.5", "0.46875"), ("0", "1.25")])
def test_the_live_score_is_passed_to_the_quote(
    send: Callable[..., Any], points: str, esg_usd: str
) -> None:
    run = live(points)
    payment = settled(send)
    quote = Quote.objects.get()
    assert quote.used_by == f"payment:{payment.payment_id}"
    assert (Decimal(payment.price["esgScore"]), payment.price["esgSlot"]) == (
        Decimal(points),
        run.slot,
    )

    assert Decimal(payment.price["feeUsd"]) - _without_esg() == Decimal(esg_usd)


def test_without_a_live_score_the_default_of_a_quote_holds(send: Callable[..., Any]) -> None:
    payment = settled(send)
    assert (payment.price["esgScore"], payment.price["esgSlot"]) == ("50", None)
    assert Decimal(payment.price["feeUsd"]) - _without_esg() == Decimal("0.625")


def test_the_page_says_what_moved_the_fee(send: Callable[..., Any]) -> None:
    live("62.5")
    payment = settled(send)
    html = check_page(
        at_desk(person("edgar", "Examiner")).get(f"/admin/payments/payment/{payment.pk}/")
    )
    assert "ESG score 62.5 (live), volume tier Standard" in html


def _without_esg() -> Decimal:
    fees = compute_fees(Priced(amount=250_000_000, score=100_000_000))
    return Decimal(fees.total) / 1_000_000
