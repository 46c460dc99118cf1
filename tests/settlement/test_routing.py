"""What another app brings is routed into settlement: checked, priced, and expected on the chain."""

import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from apps.chain.models import Order
from apps.core.clock import now
from apps.settlement.routing import Routed, route
from apps.stability.models import Quote
from tests.settlement.conftest import OFF_PEG
from tests.settlement.test_flow import LISTED

pytestmark = pytest.mark.django_db
ORDER = uuid.UUID(int=7)


def routed(recipient: str, **changes: Any) -> Routed:
    asked: dict[str, Any] = {"amount_usd": Decimal(100), "destination": "USD", "owner": "account:1"}
    return route(order_id=ORDER, recipient=recipient, now=now(), **asked | changes)


@pytest.mark.parametrize(("destination", "asset"), [("USD", "USDC"), ("EUR", "EURC")])
def test_what_proceeds_has_a_quote_that_is_taken_and_a_transfer_that_is_expected(
    known: str, steady: None, destination: str, asset: str
) -> None:
    found = routed(known, destination=destination)
    assert (found.decision, found.asset, found.block_reason) == ("PROCEED", asset, "")
    quote, order = Quote.objects.get(), Order.objects.get()
    assert (quote.quote_id, quote.used_by) == (found.quote_id, f"bank:{ORDER}")
    assert (order.order_id, order.about, order.amount) == (ORDER, "bank", found.amount)
    assert found.execution and found.execution.recipient == known
    assert found.net is not None and found.fee is not None
    assert found.net + found.fee == 100 and sum(found.fees_usd.values()) == found.fee
    assert (found.fees_usd["fx"] > 0) is (destination == "EUR")


def test_what_is_blocked_leaves_neither_quote_nor_order(steady: None) -> None:
    found = routed(LISTED)
    assert (found.decision, found.quote_id, found.execution) == ("BLOCKED", None, None)
    assert found.block_reason and not Quote.objects.exists() and not Order.objects.exists()


def test_what_the_oracle_halts_is_held(known: str, oracle: Callable[..., None]) -> None:
    oracle(**OFF_PEG)
    found = routed(known)
    assert found.decision == "HOLD" and "UNSTABLE" in found.block_reason
    assert not Order.objects.exists()
