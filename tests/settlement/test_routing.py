"""What another app brings is routed into settlement: checked, priced, and expected on the chain."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.stability.models import Quote
from apps.payments.chain.models import Order
from apps.payments.settlement.services import pricing
from apps.payments.settlement.services.route_bank_payment import (
    RoutingRequest,
    RoutingResult,
    build_flow_request,
    check_bank_payment,
    route_bank_payment,
)
from apps.platform.common.clock import now
from tests.settlement.conftest import OFF_PEG
from tests.settlement.test_flow_check import LISTED

pytestmark = pytest.mark.django_db
ORDER = uuid.UUID(int=7)
HOUR = timedelta(hours=1)


def routed(recipient: str, destination: str = "USD", **changes: Any) -> RoutingResult:
    flow_request = build_flow_request(
        amount_usd=Decimal(100), destination=destination, recipient=recipient
    )
    wish: dict[str, Any] = {"order_id": ORDER, "owner": "account:1", "deadline": now() + HOUR}
    return route_bank_payment(
        check_result=check_bank_payment(asked=flow_request, now=now()),
        wish=RoutingRequest(**wish | changes),
        now=now(),
    )


@pytest.mark.parametrize(("destination", "asset"), [("USD", "USDC"), ("EUR", "EURC")])
def test_what_proceeds_has_a_quote_that_is_taken_and_a_transfer_that_is_expected(
    known: str, steady: None, destination: str, asset: str
) -> None:
    routing_result = routed(known, destination=destination)
    assert (routing_result.decision, routing_result.asset, routing_result.block_reason) == (
        "PROCEED",
        asset,
        "",
    )
    quote, order = Quote.objects.get(), Order.objects.get()
    assert (quote.quote_id, quote.used_by) == (routing_result.quote_id, f"bank:{ORDER}")
    assert (order.order_id, order.about, order.amount) == (ORDER, "bank", routing_result.amount)
    assert routing_result.execution and routing_result.execution.recipient == known
    assert routing_result.net is not None and routing_result.fee is not None
    fees = {name: Decimal(one) for name, one in routing_result.fees_usd.items()}
    assert routing_result.net + routing_result.fee == 100 and fees.pop(
        "total"
    ) == routing_result.fee == sum(fees.values())
    assert (fees["fx"] > 0) is (destination == "EUR")


def test_a_rehearsal_is_priced_and_no_transfer_is_looked_for(known: str, steady: None) -> None:
    routing_result = routed(known, sandbox=True)
    assert (
        routing_result.quote_id
        and routing_result.execution
        and routing_result.execution.recipient == known
    )
    assert Quote.objects.get().sandbox and not Order.objects.exists()


def test_what_the_institution_settled_this_month_lowers_its_fees(known: str, steady: None) -> None:
    before = routed(known, sandbox=True)
    pricing.add_month_volume(owner="account:1", usd=Decimal(100_000_000), now=now())
    after, other = routed(known, sandbox=True), routed(known, sandbox=True, owner="account:2")
    assert before.fee == other.fee and before.fee and after.fee and after.fee < before.fee


def test_what_is_blocked_leaves_neither_quote_nor_order(steady: None) -> None:
    routing_result = routed(LISTED)
    assert (routing_result.decision, routing_result.quote_id, routing_result.execution) == (
        "BLOCKED",
        None,
        None,
    )
    assert routing_result.block_reason and not Quote.objects.exists() and not Order.objects.exists()


def test_what_the_oracle_halts_is_held(known: str, oracle: Callable[..., None]) -> None:
    oracle(**OFF_PEG)
    routing_result = routed(known)
    assert routing_result.decision == "HOLD" and "UNSTABLE" in routing_result.block_reason
    assert not Order.objects.exists()
