"""Routes what somebody else brings, a bank's payment, into settlement: checked, priced, expected.

It decides nothing that a flow check would not: what is not PROCEED has neither quote nor transfer.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal

from django.db import transaction

from apps.chain import orders
from apps.chain.orders import Execution
from apps.settlement import executing, flow, pricing
from apps.settlement.checks import Asked
from apps.settlement.flow import Looked
from apps.settlement.rules.flow import Decision
from apps.settlement.rules.routes import CHAIN, route_of

ABOUT = "bank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """What became of a payment: `decision`, and why where it is not PROCEED.

    `fees_usd` by component, `fee` and `net` in USD, `amount` in the asset. `quote_id`, `execution`
    and the figures are there where it proceeds. `checks` as anybody may be told.
    """

    decision: Decision
    block_reason: str = ""
    asset: str = ""
    amount: Decimal | None = None
    quote_id: uuid.UUID | None = None
    fees_usd: Mapping[str, Decimal] = field(default_factory=dict)
    fee: Decimal | None = None
    net: Decimal | None = None
    execution: Execution | None = None
    checks: tuple[Mapping[str, Any], ...] = ()


def look(
    *,
    amount_usd: Decimal,
    destination: Literal["USD", "EUR"],
    recipient: str,
    now: datetime,
) -> Looked:
    """Make the checks of a payment; reads alone, outside any transaction: it may wait 1.5 s."""
    asked = Asked(amount_usd, "USD", destination, recipient)
    return flow.gather(asked=asked, now=now)


def route(
    *,
    order_id: uuid.UUID,
    amount_usd: Decimal,
    destination: Literal["USD", "EUR"],
    recipient: str,
    owner: str,
    now: datetime,
    looked: Looked | None = None,
) -> Routed:
    """Route a payment: PROCEED has a quote that was taken and a transfer that is expected.

    `looked` is what `look` found, where the caller looked before its transaction. The same order is
    expected once; one that came before with another amount raises OrderDiffers (ValueError), so
    whoever calls keeps what it was told. Raises NoRate (503). `recipient` in its one form, as an
    EVM address: any other is held by the checks.
    """
    if looked is None:
        looked = look(amount_usd=amount_usd, destination=destination, recipient=recipient, now=now)
    judgement, way = looked.judgement, route_of("USD", destination)
    said = tuple(looked.shown(judgement))
    if judgement.decision != "PROCEED" or looked.converted is None or way is None:
        asset = looked.facts.asset
        return Routed(
            decision=judgement.decision, block_reason=judgement.reason, asset=asset, checks=said
        )
    with transaction.atomic():
        priced = pricing.take(
            amount=amount_usd,
            converted=looked.converted,
            route=way,
            owner=owner,
            by=f"{ABOUT}:{order_id}",
            sandbox=False,
            now=now,
        )
        wanted = orders.Wanted(
            order_id=order_id,
            about=ABOUT,
            owner=owner,
            chain=CHAIN,
            asset=way.asset,
            amount=priced.asset_amount,
            recipient=recipient,
            deadline=executing.deadline(now),
        )
        execution = orders.expect(wanted, now=now)
    return Routed(
        decision="PROCEED",
        asset=way.asset,
        amount=priced.asset_amount,
        quote_id=priced.quote_id,
        fees_usd={name: Decimal(one) for name, one in priced.said["parts"].items()},
        fee=Decimal(priced.said["fee"]),
        net=Decimal(priced.said["net"]),
        execution=execution,
        checks=said,
    )
