"""Has a bank payment checked, priced and ordered by the settlement agent.

The checks are those of a flow check; a quote of the stability service binds the fees; the order is
what the chain is asked to look for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any

from django.conf import settings

from apps.banking.models import BankTransaction
from apps.banking.rules.routing import DESTINATIONS
from apps.chain import orders
from apps.chain.orders import Execution, Wanted
from apps.core.money import from_micro, to_micro
from apps.core.problems import Unavailable
from apps.core.shapes import epoch
from apps.core.written import in_decimals
from apps.payments import esg
from apps.settlement import flow
from apps.settlement.checks import Asked
from apps.settlement.flow import Looked
from apps.settlement.rules.routes import CHAIN
from apps.signals.rates import to_usd
from apps.stability.fees import quoting
from apps.stability.models import Quote
from apps.stability.rules.fees import Fees, Payment, fees

ABOUT = "bank"  # a row of config/chain.py
PROCEED, BLOCKED = "PROCEED", "BLOCKED"
PASSES = frozenset({"NOT_RUN"})
# the oracle is UNSTABLE: nothing is settled meanwhile, and nobody need look at this payment
HALTS = "FLOW-17"
WITHIN = timedelta(days=7)  # a payment by ACH is on its way for days
UNIT = Decimal("0.000001")
SANDBOX = "sandbox"


class NotNow(Unavailable):
    """It cannot be quoted now: a check did not run, no rate is held, or settlement halts."""

    code = "not_now"


@dataclass(frozen=True, slots=True)
class Quoted:
    """What came of it: a quote with what is told of it, or that the checks halt it."""

    decision: str
    why: str = ""
    quote_id: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)

    @property
    def halted(self) -> bool:
        """Whether a check stands against it."""
        return self.decision != PROCEED


def quoted(row: BankTransaction, *, now: datetime) -> Quoted:
    """Check, price and order a payment; in the transaction that notes it.

    NotNow where that is to be tried again, and whatever else the checks raise.
    """
    amount = row.amount or Decimal(0)
    asked = Asked(amount, "USD", row.destination, row.wallet)
    looked = flow.gather(asked=asked, now=now)
    decision = looked.judgement.decision
    if decision != PROCEED:
        if decision != BLOCKED and _passes(looked):
            raise NotNow("The checks could not all be made, or settlement halts.")
        return Quoted(decision, looked.judgement.reason)
    quote, priced = _priced(amount, row.destination, now)
    asset = DESTINATIONS[row.destination]
    execution = _ordered(row, asset, _in_asset(priced, row.destination, now), now)
    said = {
        "quote_id": str(quote.quote_id),
        "amount": in_decimals(amount),
        "asset": asset,
        "recipient": row.wallet,
        "destination_currency": row.destination,
        "fees": {one.name: in_decimals(from_micro(one.units)) for one in priced.listed}
        | {"total": in_decimals(from_micro(priced.total))},
        "execution": told(execution),
    }
    return Quoted(PROCEED, quote_id=str(quote.quote_id), said=said)


def _passes(looked: Looked) -> bool:
    """Tell whether what holds a payment goes by: a check that did not run, a halt of the oracle."""
    held = [one for one in looked.judgement.rows.values() if one.outcome != "PASS"]
    return all(one.outcome in PASSES or one.code == HALTS for one in held)


def _priced(amount: Decimal, destination: str, now: datetime) -> tuple[Quote, Fees]:
    payment = Payment(
        amount=to_micro(amount),
        fx=destination != "USD",
        score=to_micro(esg.score(now).points),
    )
    asked = quoting.Asked(payment, sandbox=settings.SETTLEMENT_RAIL == SANDBOX)
    priced = fees(payment)
    return quoting.give(asked=asked, priced=priced, now=now), priced


def _in_asset(priced: Fees, destination: str, now: datetime) -> Decimal:
    """Return what arrives, in the asset; NotNow without a rate."""
    net = from_micro(priced.net)
    if destination == "USD":
        return net
    unit = to_usd(amount=Decimal(1), currency=destination, now=now)
    if unit is None:
        raise NotNow(f"No rate of {destination} of the last ten days is held.")
    return (net / unit.rate).quantize(UNIT, ROUND_DOWN)


def _ordered(row: BankTransaction, asset: str, amount: Decimal, now: datetime) -> Execution:
    """Return what executes the transfer; where nothing is transferred it is not watched for."""
    if not settings.SETTLEMENT_RAIL:
        raise NotNow("This installation names no settlement rail.")
    wanted = Wanted(
        order_id=row.order_id,
        about=ABOUT,
        owner=row.owner,
        chain=CHAIN,
        asset=asset,
        amount=amount,
        recipient=row.wallet,
        deadline=now + WITHIN,
    )
    if settings.SETTLEMENT_RAIL == SANDBOX:
        return orders.parameters(wanted)
    return orders.expect(wanted, now=now)


def told(one: Execution) -> dict[str, Any]:
    """Return the execution parameters; see BankExecutionOut."""
    return {
        "chain_id": one.chain_id,
        "network": one.network,
        "asset": one.asset,
        "asset_address": one.asset_address,
        "recipient": one.recipient,
        "amount": in_decimals(one.amount),
        "amount_minor": str(one.amount_minor),
        "reference": one.reference,
        "deadline": epoch(one.deadline),
    }
