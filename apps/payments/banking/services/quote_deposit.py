"""Has a tagged bank payment checked, priced and ordered by the settlement agent.

The checks may wait for others, so they are made before the transaction that decides by them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.backoffice.review.findings import Finding, list_unanswered_findings
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.rules.payers import PAYER_RULES
from apps.payments.banking.rules.routes import RoutingVerdict
from apps.payments.banking.screening import payers
from apps.payments.banking.screening.payers import DepositScreening
from apps.payments.chain.orders import TransferExecution
from apps.payments.settlement.checks import FlowRequest
from apps.payments.settlement.flow_check import FlowCheckResult as Flow
from apps.payments.settlement.rules.flow import FlowRule
from apps.payments.settlement.services import bank_payment
from apps.payments.settlement.services.bank_payment import RoutingRequest, RoutingResult
from apps.platform.api.shapes import to_epoch_seconds
from apps.platform.common.problems import Unavailable
from apps.platform.common.validators import format_amount

PROCEED, HOLD, BLOCKED = "PROCEED", "HOLD", "BLOCKED"
# the oracle is UNSTABLE: nothing is settled meanwhile, and nobody need look at this payment
STABILITY_HALT_RULE = "FLOW-17"
EXECUTION_WINDOW = timedelta(days=7)  # a payment by ACH is on its way for days
SANDBOX = "sandbox"


class QuoteUnavailable(Unavailable):
    """It cannot be quoted now: a check did not run, nothing was looked up, or settlement halts."""

    code = "not_now"


@dataclass(frozen=True, slots=True)
class DepositQuote:
    """What came of it: a quote with what is told of it, or that the checks halt it.

    `against` says for officers which checks stand against it, in sentences; `findings` are those
    that nobody answered, and `of` a digest of the deposit that they are about.
    """

    decision: str
    why: str = ""
    quote_id: str = ""
    said: Mapping[str, Any] = field(default_factory=dict)
    against: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    of: str = ""

    @property
    def halted(self) -> bool:
        """Whether a check stands against it."""
        return self.decision != PROCEED


def check_deposit(
    verdict: RoutingVerdict, *, resource_id: str, now: datetime
) -> DepositScreening | Exception | None:
    """Make the checks of what a verdict routes, None where it routes nothing.

    What was raised stands for checks that could not be made: nothing of the delivery is lost by it.
    """
    flow_request = _build_flow_request(verdict)
    if flow_request is None:
        return None
    try:
        flow = bank_payment.check_bank_payment(asked=flow_request, now=now)
        return payers.screen_deposit(verdict, flow, resource_id=resource_id, now=now)
    except Exception as error:
        return error


def _build_flow_request(verdict: RoutingVerdict) -> FlowRequest | None:
    if not verdict.routes or verdict.amount is None:
        return None
    return bank_payment.build_flow_request(
        amount_usd=verdict.amount, destination=verdict.destination, recipient=verdict.wallet
    )


def quote_deposit(
    row: BankTransaction,
    verdict: RoutingVerdict,
    *,
    looked: DepositScreening | Exception | None,
    now: datetime,
) -> DepositQuote:
    """Price and order a payment by what was looked up of it; in the transaction that notes it.

    QuoteUnavailable where that is to be tried again, and whatever else the checks raised.
    """
    if isinstance(looked, Exception):
        raise looked
    if looked is None or looked.verdict != verdict:
        raise QuoteUnavailable("Something else was told of it meanwhile: it is looked up anew.")
    if not settings.SETTLEMENT_RAIL:
        raise QuoteUnavailable("This installation names no settlement rail.")
    cleared = payers.load_released_keys(row, of=payers.deposit_digest(looked))
    unanswered_findings = list_unanswered_findings(looked.of_flow(), cleared=cleared)
    if looked.flow.judgement.decision != BLOCKED and _is_temporary_halt(
        looked.flow, unanswered_findings
    ):
        raise QuoteUnavailable("The checks could not all be made, or settlement halts.")
    if found := payers.judge_deposit(row, looked, cleared=cleared, now=now):
        return _build_halted_quote(looked, found)
    sandbox = settings.SETTLEMENT_RAIL == SANDBOX
    wish = RoutingRequest(
        order_id=row.order_id,
        owner=row.owner,
        deadline=now + EXECUTION_WINDOW,
        sandbox=sandbox,
        released=looked.flow.judgement.decision == HOLD,
    )
    routed = bank_payment.route_bank_payment(looked=looked.flow, wish=wish, now=now)
    if routed.execution is None:
        raise QuoteUnavailable("The settlement agent gives no execution.")
    return DepositQuote(
        PROCEED, quote_id=str(routed.quote_id), said=_serialize_routing(row, routed)
    )


def _build_halted_quote(
    deposit_screening: DepositScreening, findings: Sequence[Finding]
) -> DepositQuote:
    """Return what halts a payment, and why: the first of what nobody answered, the gravest."""
    decision = BLOCKED if findings[0].blocks else HOLD
    return DepositQuote(
        decision,
        findings[0].says,
        against=describe_checks(deposit_screening, findings),
        findings=tuple(findings),
        of=payers.deposit_digest(deposit_screening),
    )


def describe_checks(looked: DepositScreening, found: Sequence[Finding]) -> tuple[str, ...]:
    """Return the rows of our tables that findings come from, in sentences, each once."""
    rows = {
        one.code: f"{one.code} {name}: {one.title}" for name, one in _list_flow_rules(looked.flow)
    }
    rows |= {
        payer_rule.code: f"{payer_rule.code} payer: {payer_rule.says}" for payer_rule in PAYER_RULES
    }
    return tuple(dict.fromkeys(rows[one.code] for one in found))


def _is_temporary_halt(flow: Flow, findings: Sequence[Finding]) -> bool:
    """Tell whether what holds a payment goes by: a check that did not run, a halt of the oracle.

    Nobody answers those.
    """
    rows = [one for _, one in _list_flow_rules(flow) if one.outcome != "PASS"]
    passes = {
        row.code for row in rows if row.outcome == "NOT_RUN" or row.code == STABILITY_HALT_RULE
    }
    return bool(passes) and {one.code for one in findings} <= passes


def _list_flow_rules(flow: Flow) -> list[tuple[str, FlowRule]]:
    return list(flow.judgement.rows.items())


def _serialize_routing(row: BankTransaction, routed: RoutingResult) -> dict[str, Any]:
    return {
        "quote_id": str(routed.quote_id),
        "amount": format_amount(row.amount or Decimal(0)),
        "asset": routed.asset,
        "recipient": row.wallet,
        "destination_currency": row.destination,
        "fees": dict(routed.fees_usd),
        "execution": serialize_execution(routed.execution) if routed.execution else {},
    }


def serialize_execution(one: TransferExecution) -> dict[str, Any]:
    """Return the execution parameters; see BankExecutionOut."""
    return {
        "chain_id": one.chain_id,
        "network": one.network,
        "asset": one.asset,
        "asset_address": one.asset_address,
        "recipient": one.recipient,
        "amount": format_amount(one.amount),
        "amount_minor": str(one.amount_minor),
        "reference": one.reference,
        "deadline": to_epoch_seconds(one.deadline),
    }
