"""Check, price and order a tagged bank payment through the settlement agent.

The checks may wait for upstreams, so they run before the transaction that uses them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.backoffice.review.payment_hold_findings import Finding, list_unanswered_findings
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.rules.payers import PAYER_RULES
from apps.payments.banking.rules.routes import RoutingVerdict
from apps.payments.banking.screening import deposits
from apps.payments.banking.screening.deposits import DepositScreening
from apps.payments.chain.expected_transfers import TransferExecution
from apps.payments.settlement.flow_check import FlowCheckResult
from apps.payments.settlement.rules.flow import FlowRule
from apps.payments.settlement.services import route_bank_payment
from apps.payments.settlement.services.route_bank_payment import RoutingRequest
from apps.platform.common.amounts import format_amount
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.common.problems import Unavailable

PROCEED, HOLD, BLOCKED = "PROCEED", "HOLD", "BLOCKED"
# the oracle is UNSTABLE: nothing settles until it recovers, and officers need not review this
STABILITY_HALT_RULE = "FLOW-17"
# an ACH payment takes days
EXECUTION_WINDOW = timedelta(days=7)
SANDBOX = "sandbox"


class QuoteUnavailable(Unavailable):
    """It cannot be quoted now: a check did not run, nothing was looked up, or settlement halts."""

    code = "not_now"


@dataclass(frozen=True, slots=True)
class DepositQuote:
    """The result: a quote with its answer, or that the checks stop the payment.

    `against` describes for officers the checks that object; `findings` are the unanswered ones,
    and `of` is a digest of their deposit.
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
        """Tell whether a check objects."""
        return self.decision != PROCEED


def check_deposit(
    verdict: RoutingVerdict, *, resource_id: str, now: datetime
) -> DepositScreening | Exception | None:
    """Run the checks of a verdict's settlement, None if it routes nothing.

    An exception is returned in place of checks that failed.
    """
    if not verdict.routes or verdict.amount is None:
        return None
    flow_request = route_bank_payment.build_flow_request(
        amount_usd=verdict.amount, destination=verdict.destination, recipient=verdict.wallet
    )
    if flow_request is None:
        return None
    try:
        flow = route_bank_payment.check_bank_payment(asked=flow_request, now=now)
        return deposits.screen_deposit(verdict, flow, resource_id=resource_id, now=now)
    # whatever a check raises: the delivery must be stored all the same, and the payment waits
    except Exception as error:
        return error


def quote_deposit(
    row: BankTransaction,
    verdict: RoutingVerdict,
    *,
    looked: DepositScreening | Exception | None,
    now: datetime,
) -> DepositQuote:
    """Price and order a payment by its checks, in the transaction that notes it.

    Raises QuoteUnavailable if that must be retried, and whatever the checks raised.
    """
    if isinstance(looked, Exception):
        raise looked
    # the checks ran outside this transaction: they count only for what they were made for
    if looked is None or looked.verdict != verdict:
        raise QuoteUnavailable("The transaction has changed: it will be checked again.")
    if not settings.SETTLEMENT_RAIL:
        raise QuoteUnavailable("No settlement rail is configured here.")
    cleared = deposits.load_released_keys(row, of=deposits.deposit_digest(looked))
    unanswered_findings = list_unanswered_findings(looked.of_flow(), cleared=cleared)
    # a temporary objection is retried without an officer, unless something blocks anyway
    if looked.flow.judgement.decision != BLOCKED and _is_temporary_halt(
        looked.flow, unanswered_findings
    ):
        raise QuoteUnavailable("Some checks could not run, or settlement is halted.")
    if findings := deposits.judge_deposit(row, looked, cleared=cleared, now=now):
        # the first unanswered finding is the most severe
        decision = BLOCKED if findings[0].blocks else HOLD
        return DepositQuote(
            decision,
            findings[0].says,
            against=describe_checks(looked, findings),
            findings=tuple(findings),
            of=deposits.deposit_digest(looked),
        )
    sandbox = settings.SETTLEMENT_RAIL == SANDBOX
    wish = RoutingRequest(
        order_id=row.order_id,
        owner=row.owner,
        deadline=now + EXECUTION_WINDOW,
        sandbox=sandbox,
        # nothing is left unanswered here, so a HOLD was released by an officer
        released=looked.flow.judgement.decision == HOLD,
    )
    routed = route_bank_payment.route_bank_payment(check_result=looked.flow, wish=wish, now=now)
    if routed.execution is None:
        raise QuoteUnavailable("The settlement agent returned no execution.")
    routing = {
        "quote_id": str(routed.quote_id),
        "amount": format_amount(row.amount or Decimal(0)),
        "asset": routed.asset,
        "recipient": row.wallet,
        "destination_currency": row.destination,
        "fees": dict(routed.fees_usd),
        "execution": serialize_execution(routed.execution) if routed.execution else {},
    }
    return DepositQuote(PROCEED, quote_id=str(routed.quote_id), said=routing)


def describe_checks(
    deposit_screening: DepositScreening, findings: Sequence[Finding]
) -> tuple[str, ...]:
    """Describe the rows of our tables that findings come from, each once."""
    rows = {
        rule.code: f"{rule.code} {name}: {rule.title}"
        for name, rule in _list_flow_rules(deposit_screening.flow)
    }
    rows |= {
        payer_rule.code: f"{payer_rule.code} payer: {payer_rule.says}" for payer_rule in PAYER_RULES
    }
    return tuple(dict.fromkeys(rows[finding.code] for finding in findings))


def _is_temporary_halt(flow: FlowCheckResult, findings: Sequence[Finding]) -> bool:
    """Tell whether the objection is temporary: a check that did not run, a halt of the oracle.

    Officers do not answer those.
    """
    rows = [rule for _, rule in _list_flow_rules(flow) if rule.outcome != "PASS"]
    # these pass by themselves
    passes = {
        row.code for row in rows if row.outcome == "NOT_RUN" or row.code == STABILITY_HALT_RULE
    }
    return bool(passes) and {finding.code for finding in findings} <= passes


def _list_flow_rules(flow: FlowCheckResult) -> list[tuple[str, FlowRule]]:
    return list(flow.judgement.rows.items())


def serialize_execution(transfer_execution: TransferExecution) -> dict[str, Any]:
    """Return the execution parameters; see BankExecutionOut."""
    return {
        "chain_id": transfer_execution.chain_id,
        "network": transfer_execution.network,
        "asset": transfer_execution.asset,
        "asset_address": transfer_execution.asset_address,
        "recipient": transfer_execution.recipient,
        "amount": format_amount(transfer_execution.amount),
        "amount_minor": str(transfer_execution.amount_minor),
        "reference": transfer_execution.reference,
        "deadline": to_epoch_seconds(transfer_execution.deadline),
    }
