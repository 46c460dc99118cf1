"""Routes what somebody else brings, a bank's payment, into settlement: checked, priced, expected.

It decides nothing that a flow check would not: what is not PROCEED has neither quote nor transfer,
unless officers released what holds it.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from apps.compliance.screening.combined.known_false_positives import apply_known_false_positives
from apps.compliance.screening.rules.screen import judge_screen
from apps.payments.chain import orders
from apps.payments.chain.orders import ExpectedTransfer, TransferExecution
from apps.payments.settlement import flow_check
from apps.payments.settlement.checks import FlowRequest
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.rules.flow import Decision, judge_flow
from apps.payments.settlement.rules.routes import CHAIN, Route, route_of
from apps.payments.settlement.services import pricing
from apps.payments.settlement.services.pricing import PricedSettlement
from apps.platform.common.validators import format_amount

ABOUT = "bank"  # a purpose of transfers that banking registers
SOURCE = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRequest:
    """What is to be routed. The same `order_id` is expected once, until `deadline`.

    A rehearsal (`sandbox`) is checked and priced, and no transfer is looked for. `released`:
    officers answered all that holds it, so that a HOLD goes as what proceeds does.
    """

    order_id: uuid.UUID
    owner: str
    deadline: datetime
    sandbox: bool = False
    released: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingResult:
    """What became of a payment: `decision`, and why where it is not PROCEED.

    `fees_usd` by component, `fee` and `net` in USD, `amount` in the asset. `quote_id`, `execution`
    and the figures are there where it proceeds.
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
    """Return what the checks of a payment are asked: USD or EUR, and a wallet by EIP-55."""
    return FlowRequest(amount_usd, SOURCE, destination, recipient)


def check_bank_payment(*, asked: FlowRequest, now: datetime) -> FlowCheckResult:
    """Make the checks of a payment; reads alone, outside any transaction: it may wait 1.5 s."""
    return flow_check.run_flow_check(asked=asked, now=now)


def drop_known_false_positives(
    looked: FlowCheckResult, *, owner: str, now: datetime
) -> FlowCheckResult:
    """Return a flow without what officers know of a client's party, who is behind the wallet."""
    found = looked.found.get("sanctions")
    if found is None or found.screen is None:
        return looked
    asked, gathered = found.screen
    left = apply_known_false_positives(asked=asked, gathered=gathered, owner=owner, now=now)
    if not left.known:
        return looked
    judged = judge_screen(left.facts)
    decision = judged.outcome.decision
    kept = {"riskScore": judged.risk_score, "rules": [finding.code for finding in judged.findings]}
    again = replace(
        found,
        facts={**found.facts, "screen": decision},
        kept={**found.kept, **kept},
        screen=(asked, left),
    )
    facts = replace(looked.facts, screen=decision)
    return replace(
        looked, facts=facts, judgement=judge_flow(facts), found={**looked.found, "sanctions": again}
    )


def route_bank_payment(
    *, looked: FlowCheckResult, wish: RoutingRequest, now: datetime
) -> RoutingResult:
    """Route a payment: PROCEED has a quote that was taken and a transfer that is expected.

    `looked` is what `check_bank_payment` found, before the transaction of whoever calls. An order
    that stands already with another amount raises OrderDiffers (ValueError), so whoever calls keeps
    what it was told. Raises RateNotHeld (503).
    """
    judgement, way = looked.judgement, route_of(SOURCE, looked.asked.destination)
    goes = judgement.decision == "PROCEED" or (wish.released and judgement.decision == "HOLD")
    if not goes or looked.converted is None or way is None:
        asset = looked.facts.asset
        return RoutingResult(
            decision=judgement.decision, block_reason=judgement.reason, asset=asset
        )
    with transaction.atomic():
        priced = pricing.take_quote(
            amount=looked.asked.amount,
            converted=looked.converted,
            route=way,
            owner=wish.owner,
            by=f"{ABOUT}:{wish.order_id}",
            sandbox=wish.sandbox,
            now=now,
        )
        execution = _expect_transfer(wish, looked.asked.recipient, way, priced, now)
        said = priced.said
        return RoutingResult(
            decision="PROCEED",
            asset=way.asset,
            amount=priced.asset_amount,
            quote_id=priced.quote_id,
            fees_usd={name: format_amount(Decimal(one)) for name, one in said["parts"].items()}
            | {"total": format_amount(Decimal(said["feeUsd"]))},
            fee=Decimal(said["fee"]),
            net=Decimal(said["net"]),
            execution=execution,
        )


def _expect_transfer(
    wish: RoutingRequest, recipient: str, way: Route, priced: PricedSettlement, now: datetime
) -> TransferExecution:
    """Return what executes the transfer; where nothing is transferred it is not watched for."""
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
        orders.build_execution(expected_transfer)
        if wish.sandbox
        else orders.expect_transfer(expected_transfer, now=now)
    )
