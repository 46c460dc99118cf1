"""Routes what somebody else brings, a bank's payment, into settlement: checked, priced, expected.

It decides nothing that a flow check would not: what is not PROCEED has neither quote nor transfer.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from apps.chain import orders
from apps.chain.orders import Execution, Wanted
from apps.core.written import in_decimals
from apps.settlement import flow, pricing
from apps.settlement.checks import Asked
from apps.settlement.flow import Looked
from apps.settlement.pricing import Priced
from apps.settlement.rules.flow import Decision
from apps.settlement.rules.routes import CHAIN, Route, route_of

ABOUT = "bank"  # a row of config/chain.py
SOURCE = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is to be routed. The same `order_id` is expected once, until `deadline`.

    A rehearsal (`sandbox`) is checked and priced, and no transfer is looked for.
    """

    order_id: uuid.UUID
    owner: str
    deadline: datetime
    sandbox: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
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
    execution: Execution | None = None


def asked_of(*, amount_usd: Decimal, destination: str, recipient: str) -> Asked:
    """Return what the checks of a payment are asked: USD or EUR, and a wallet by EIP-55."""
    return Asked(amount_usd, SOURCE, destination, recipient)


def look(*, asked: Asked, now: datetime) -> Looked:
    """Make the checks of a payment; reads alone, outside any transaction: it may wait 1.5 s."""
    return flow.gather(asked=asked, now=now)


def route(*, looked: Looked, wish: Wish, now: datetime) -> Routed:
    """Route a payment: PROCEED has a quote that was taken and a transfer that is expected.

    `looked` is what `look` found, before the transaction of whoever calls. An order that stands
    already with another amount raises OrderDiffers (ValueError), so whoever calls keeps what it was
    told. Raises NoRate (503).
    """
    judgement, way = looked.judgement, route_of(SOURCE, looked.asked.destination)
    if judgement.decision != "PROCEED" or looked.converted is None or way is None:
        asset = looked.facts.asset
        return Routed(decision=judgement.decision, block_reason=judgement.reason, asset=asset)
    with transaction.atomic():
        priced = pricing.take(
            amount=looked.asked.amount,
            converted=looked.converted,
            route=way,
            owner=wish.owner,
            by=f"{ABOUT}:{wish.order_id}",
            sandbox=wish.sandbox,
            now=now,
        )
        return _routed(priced, way, _expected(wish, looked.asked.recipient, way, priced, now))


def _expected(wish: Wish, recipient: str, way: Route, priced: Priced, now: datetime) -> Execution:
    """Return what executes the transfer; where nothing is transferred it is not watched for."""
    wanted = Wanted(
        order_id=wish.order_id,
        about=ABOUT,
        owner=wish.owner,
        chain=CHAIN,
        asset=way.asset,
        amount=priced.asset_amount,
        recipient=recipient,
        deadline=wish.deadline,
    )
    return orders.parameters(wanted) if wish.sandbox else orders.expect(wanted, now=now)


def _routed(priced: Priced, way: Route, execution: Execution) -> Routed:
    said = priced.said
    return Routed(
        decision="PROCEED",
        asset=way.asset,
        amount=priced.asset_amount,
        quote_id=priced.quote_id,
        fees_usd={name: in_decimals(Decimal(one)) for name, one in said["parts"].items()}
        | {"total": in_decimals(Decimal(said["feeUsd"]))},
        fee=Decimal(said["fee"]),
        net=Decimal(said["net"]),
        execution=execution,
    )
