"""A quote costs what its own figures make it by the printed schedule."""

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.stability.fees.integrity import verify_quote_fees
from apps.insight.stability.fees.rules.fees import compute_fees
from apps.insight.stability.fees.services import quotes
from apps.insight.stability.models import Quote

pytestmark = pytest.mark.django_db


@pytest.fixture
def quote(noon: datetime) -> Quote:
    quote_request = quotes.parse_quote_request(
        amount_usd=Decimal(1000),
        has_fx=True,
        esg_score=Decimal(45),
        monthly_volume_usd=Decimal(0),
        sandbox=False,
    )
    return quotes.create_quote(
        asked=quote_request, priced=compute_fees(quote_request.payment), now=noon
    )


def faults() -> list[str]:
    return list(verify_quote_fees(lambda _: None))


def test_a_quote_as_it_was_given_is_right(quote: Quote) -> None:
    assert not faults()


@pytest.mark.parametrize("column", ["core", "fx_fee", "esg", "license"])
@pytest.mark.parametrize("change", [Decimal("0.000001"), None])
def test_another_fee_is_found(quote: Quote, column: str, change: Any) -> None:
    fee = getattr(quote, column)
    Quote.objects.update(**{column: Decimal(10) if change is None else fee + change})
    assert faults() == [f"quote {quote.quote_id}: its fees do not match its amount"]


@pytest.mark.parametrize("change", [{"amount": Decimal(1)}, {"fx": False}])
def test_so_are_figures_that_make_other_fees(quote: Quote, change: dict[str, Any]) -> None:
    Quote.objects.update(**change)
    assert len(faults()) == 1
