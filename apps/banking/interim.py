"""Stands in for apps/settlement/routing.py until that is there."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from apps.aml.screening.parties import listed_address
from apps.core.canonical import digest
from apps.core.money import from_micro, to_micro
from apps.payments import esg
from apps.stability.fees import quoting
from apps.stability.rules.fees import Payment as Priced
from apps.stability.rules.fees import fees
from apps.watchlists import engine as engines


@dataclass(frozen=True)
class Execution:
    chain_id: int
    network: str
    asset: str
    asset_address: str
    recipient: str
    amount: Decimal
    amount_minor: int
    reference: str
    deadline: Any


@dataclass(frozen=True)
class Routed:
    quote_id: str
    fees: Any
    asset: str
    amount: Decimal
    execution: Execution | None
    decision: str
    block_reason: str


def route(
    *, order_id: Any, amount_usd: Decimal, destination: str, recipient: str, owner: str, now: Any
) -> Routed:
    if listed_address(engines.current(now), recipient).listed:
        return Routed("", None, "", Decimal(0), None, "BLOCKED", "A check stands against it.")
    asked = quoting.Asked(
        Priced(to_micro(amount_usd), destination == "EUR", to_micro(esg.score(now).points), 0), True
    )
    priced = fees(asked.payment)
    quote = quoting.give(asked=asked, priced=priced, now=now)
    asset = "EURC" if destination == "EUR" else "USDC"
    net = from_micro(priced.net)
    execution = Execution(
        8453,
        "base-mainnet",
        asset,
        "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        recipient,
        net,
        to_micro(net),
        "0x" + digest(["order", str(order_id)]),
        now + timedelta(hours=1),
    )
    told = {one.name: from_micro(one.units) for one in priced.listed} | {
        "total": from_micro(priced.total)
    }
    return Routed(str(quote.quote_id), told, asset, net, execution, "PROCEED", "")
