"""Has a tagged bank payment checked, priced and ordered by the settlement agent.

The checks may wait for others, so they are made before the transaction that decides by them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.banking import payers
from apps.banking.models import BankTransaction
from apps.banking.payers import Checked
from apps.banking.rules.payers import Stand, standing
from apps.banking.rules.routing import Verdict
from apps.chain.orders import Execution
from apps.core.problems import Unavailable
from apps.core.shapes import epoch
from apps.core.written import in_decimals
from apps.settlement import routing
from apps.settlement.checks import Asked
from apps.settlement.flow import Looked as Flow
from apps.settlement.routing import Routed, Wish

PROCEED, BLOCKED = "PROCEED", "BLOCKED"
# the oracle is UNSTABLE: nothing is settled meanwhile, and nobody need look at this payment
HALTS = "FLOW-17"
WITHIN = timedelta(days=7)  # a payment by ACH is on its way for days
SANDBOX = "sandbox"


class NotNow(Unavailable):
    """It cannot be quoted now: a check did not run, nothing was looked up, or settlement halts."""

    code = "not_now"


@dataclass(frozen=True, slots=True)
class Quoted:
    """What came of it: a quote with what is told of it, or that the checks halt it.

    `against` says for officers which checks stand against it, in sentences; `codes` are those of
    the payer's (rules/payers.py) that held it, and `of` a digest of what they were about.
    """

    decision: str
    why: str = ""
    quote_id: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)
    against: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    of: str = ""

    @property
    def halted(self) -> bool:
        """Whether a check stands against it."""
        return self.decision != PROCEED


def look(verdict: Verdict, *, resource_id: str, now: datetime) -> Checked | Exception | None:
    """Make the checks of what a verdict routes, None where it routes nothing.

    What was raised stands for checks that could not be made: nothing of the delivery is lost by it.
    """
    asked = _asked(verdict)
    if asked is None:
        return None
    try:
        flow = routing.look(asked=asked, now=now)
        return payers.look(verdict, flow, resource_id=resource_id, now=now)
    except Exception as error:
        return error


def _asked(verdict: Verdict) -> Asked | None:
    if not verdict.routes or verdict.amount is None:
        return None
    return routing.asked_of(
        amount_usd=verdict.amount, destination=verdict.destination, recipient=verdict.wallet
    )


def quoted(
    row: BankTransaction, verdict: Verdict, *, looked: Checked | Exception | None, now: datetime
) -> Quoted:
    """Price and order a payment by what was looked up of it; in the transaction that notes it.

    NotNow where that is to be tried again, and whatever else the checks raised.
    """
    if isinstance(looked, Exception):
        raise looked
    if looked is None or looked.verdict != verdict:
        raise NotNow("Something else was told of it meanwhile: it is looked up anew.")
    if not settings.SETTLEMENT_RAIL:
        raise NotNow("This installation names no settlement rail.")
    flow = looked.flow.judgement
    if flow.decision == PROCEED:
        return _by_payer(row, looked, now)
    if flow.decision != BLOCKED and _passes(looked.flow):
        raise NotNow("The checks could not all be made, or settlement halts.")
    return _halted(looked, standing(looked.seen()), flow.decision, flow.reason)


def _by_payer(row: BankTransaction, looked: Checked, now: datetime) -> Quoted:
    """Route a payment whose flow proceeds, unless something stands against who pays it."""
    if found := payers.against(row, looked, now=now):
        return _halted(looked, found, found[0].decision, found[0].says)
    sandbox = settings.SETTLEMENT_RAIL == SANDBOX
    wish = Wish(order_id=row.order_id, owner=row.owner, deadline=now + WITHIN, sandbox=sandbox)
    routed = routing.route(looked=looked.flow, wish=wish, now=now)
    if routed.execution is None:
        raise NotNow("The settlement agent gives no execution.")
    return Quoted(PROCEED, quote_id=str(routed.quote_id), said=_said(row, routed))


def _halted(looked: Checked, found: Sequence[Stand], decision: str, why: str) -> Quoted:
    """Return what halts a payment: the gravest of the flow's decision and what is found of it."""
    if found and found[0].decision == BLOCKED:
        decision, why = BLOCKED, found[0].says
    against = (*_against(looked.flow), *(f"{one.code} payer: {one.says}" for one in found))
    codes = tuple(one.code for one in found)
    return Quoted(decision, why, against=against, codes=codes, of=payers.digest_of(looked))


def _passes(looked: Flow) -> bool:
    """Tell whether what holds a payment goes by: a check that did not run, a halt of the oracle."""
    held = [one for one in looked.judgement.rows.values() if one.outcome != "PASS"]
    return all(one.outcome == "NOT_RUN" or one.code == HALTS for one in held)


def _against(looked: Flow) -> tuple[str, ...]:
    rows = looked.judgement.rows.items()
    return tuple(f"{one.code} {name}: {one.says}" for name, one in rows if one.outcome != "PASS")


def _said(row: BankTransaction, routed: Routed) -> dict[str, Any]:
    return {
        "quote_id": str(routed.quote_id),
        "amount": in_decimals(row.amount or Decimal(0)),
        "asset": routed.asset,
        "recipient": row.wallet,
        "destination_currency": row.destination,
        "fees": dict(routed.fees_usd),
        "execution": told(routed.execution) if routed.execution else {},
    }


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
