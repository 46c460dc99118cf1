"""Route payments of other sources, such as a bank, into settlement: checked, priced, expected.

It decides nothing that a flow check would not: without PROCEED there is neither quote nor transfer,
unless officers released what holds it.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from apps.payments.chain import expected_transfers
from apps.payments.chain.expected_transfers import ExpectedTransfer, TransferExecution
from apps.payments.settlement import flow_check
from apps.payments.settlement.check_judgements import FlowRequest
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.rules.flow import Decision
from apps.payments.settlement.rules.payout_stablecoins import CHAIN, Route, route_of
from apps.payments.settlement.services import pricing
from apps.payments.settlement.services.pricing import PricedSettlement
from apps.platform.common.amounts import format_amount

ABOUT = "bank"  # a purpose of transfers that banking registers
SOURCE = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRequest:
    """A payment to route. The same `order_id` is expected once, until `deadline`.

    A rehearsal (`sandbox`) is checked and priced, and no transfer is watched. `released`: officers
    answered everything that holds it, so that a HOLD is treated as PROCEED.
    """

    order_id: uuid.UUID
    owner: str
    deadline: datetime
    sandbox: bool = False
    released: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingResult:
    """The result for a payment: `decision`, and the reason if it is not PROCEED.

    `fees_usd` by component, `fee` and `net` in USD, `amount` in the asset. `quote_id`, `execution`
    and the figures are set if it proceeds.
    """

    decision: Decision
    block_reason: str = ""
    asset: str = ""
    amount: Decimal | None = None
    quote_id: uuid.UUID | None = None
    fees_usd: Mapping[str, str] = field(default_factory=dict)
    fee: Decimal | None = None
    net: Decimal | None = None
    execution: TransferExecution | None = None


def build_flow_request(*, amount_usd: Decimal, destination: str, recipient: str) -> FlowRequest:
    """Return the flow request of a payment: USD or EUR, and a wallet by EIP-55."""
    return FlowRequest(amount_usd, SOURCE, destination, recipient)


def check_bank_payment(*, asked: FlowRequest, now: datetime) -> FlowCheckResult:
    """Run the checks of a payment; read-only. Call it outside any transaction."""
    # it waits up to DEADLINE_SECONDS of flow_check.py
    return flow_check.run_flow_check(flow_request=asked, now=now)


def route_bank_payment(
    *, check_result: FlowCheckResult, wish: RoutingRequest, now: datetime
) -> RoutingResult:
    """Route a payment: PROCEED has a consumed quote and an expected transfer.

    `check_result` is the result of `check_bank_payment`, from before the caller's transaction. An
    existing order with another amount raises OrderDiffers (ValueError), so that the caller keeps
    its earlier answer. Raises RateNotHeld (503).
    """
    judgement, way = check_result.judgement, route_of(SOURCE, check_result.asked.destination)
    # officers may release a HOLD; BLOCKED stays blocked whoever released it
    goes = judgement.decision == "PROCEED" or (wish.released and judgement.decision == "HOLD")
    if not goes or check_result.converted is None or way is None:
        asset = check_result.facts.asset
        return RoutingResult(
            decision=judgement.decision, block_reason=judgement.reason, asset=asset
        )
    with transaction.atomic():
        priced = pricing.take_quote(
            amount=check_result.asked.amount,
            converted=check_result.converted,
            route=way,
            owner=wish.owner,
            by=f"{ABOUT}:{wish.order_id}",
            sandbox=wish.sandbox,
            now=now,
        )
        execution = _expect_transfer(wish, check_result.asked.recipient, way, priced, now)
        price_fields = priced.price
        return RoutingResult(
            decision="PROCEED",
            asset=way.asset,
            amount=priced.asset_amount,
            quote_id=priced.quote_id,
            fees_usd={
                name: format_amount(Decimal(part)) for name, part in price_fields["parts"].items()
            }
            | {"total": format_amount(Decimal(price_fields["feeUsd"]))},
            fee=Decimal(price_fields["fee"]),
            net=Decimal(price_fields["net"]),
            execution=execution,
        )


def _expect_transfer(
    wish: RoutingRequest, recipient: str, way: Route, priced: PricedSettlement, now: datetime
) -> TransferExecution:
    """Return a transfer's execution data; if nothing is transferred it is not watched."""
    expected_transfer = ExpectedTransfer(
        order_id=wish.order_id,
        about=ABOUT,
        owner=wish.owner,
        chain=CHAIN,
        asset=way.asset,
        amount=priced.asset_amount,
        recipient=recipient,
        deadline=wish.deadline,
    )
    return (
        expected_transfers.build_execution(expected_transfer)
        if wish.sandbox
        else expected_transfers.expect_transfer(expected_transfer, now=now)
    )
