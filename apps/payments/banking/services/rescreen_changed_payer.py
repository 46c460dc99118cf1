"""Screen a routed payment again when the bank reports a different payer for it.

An objection to the payer then ends its order if no transfer has been sent, and stops it like a
payment that was never routed; otherwise officers are notified, and the SAR log gets an entry.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.backoffice.review.payment_hold_findings import list_unanswered_findings
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.payers import PayerFacts, PayerRule, find_payer_rules
from apps.payments.banking.rules.routes import (
    HALTED,
    DeliveryFacts,
    RoutingVerdict,
    build_current_verdict,
)
from apps.payments.banking.rules.transitions import has_transition
from apps.payments.banking.screening.deposits import DepositScreening, deposit_digest, payer_digest
from apps.payments.banking.services import deposit_cases, log_blocked_deposit, quote_deposit
from apps.payments.chain.expected_transfers import close_order
from apps.platform.ledger.verification.verified_reads import filter_verified_records

PayerChecks = DepositScreening | Exception | None


def find_changed_payer(row: BankTransaction, facts: DeliveryFacts) -> RoutingVerdict | None:
    """Return what to screen again of a routed payment; None if the payer is unchanged."""
    verdict = build_current_verdict(facts)
    # compared by digest: events keep no names
    if verdict is None or payer_digest(verdict.payer) == _load_routed_payer_digest(row):
        return None
    return verdict


def _load_routed_payer_digest(row: BankTransaction) -> str:
    """Return the digest of the payer at the last routing; empty if it was not kept."""
    steps = BankEvent.objects.filter(subject=row.subject, event="ROUTED").order_by("-number")
    # only events with a valid MAC: a forged one could pass a payer off as screened
    last = next(iter(filter_verified_records(steps)), None)
    return str(last.data.get("payer", "")) if last is not None else ""


def screen_changed_payer(
    row: BankTransaction, facts: DeliveryFacts, *, now: datetime
) -> PayerChecks:
    """Screen the current payer of a routed payment, before its transaction; None if unchanged."""
    verdict = find_changed_payer(row, facts)
    return (
        quote_deposit.check_deposit(verdict, resource_id=row.resource_id, now=now)
        if verdict
        else None
    )


def judge_changed_payer(
    row: BankTransaction, facts: DeliveryFacts, payer_checks: PayerChecks
) -> tuple[PayerRule, ...]:
    """Return the objections to the current payer, the most severe first.

    A screen that failed, or that is of an earlier report, counts as not screened.
    """
    verdict = find_changed_payer(row, facts)
    if verdict is None:
        return ()
    if isinstance(payer_checks, DepositScreening) and payer_checks.verdict == verdict:
        return find_payer_rules(payer_checks.seen())
    # BO-8 alone: the other rules need a screen
    return find_payer_rules(PayerFacts(verdict.amount or Decimal(0), unscreened=True, ours=True))


def stop_changed_deposit(
    row: BankTransaction,
    facts: DeliveryFacts,
    *,
    payer_checks: PayerChecks,
    payer_rules: Sequence[PayerRule],
    now: datetime,
) -> None:
    """Open a review of a routed payment whose report has changed; under its lock.

    `payer_rules` are the objections to the payer. A transfer whose hash is known counts as sent.
    """
    checked = payer_checks if isinstance(payer_checks, DepositScreening) else None
    if (
        payer_rules
        and checked
        and has_transition(row.THING, row.state, "HALTED")
        # last: it ends the order, which must not happen if the payment cannot be halted
        and close_order(row.order_id, now=now)
    ):
        _halt_deposit(row, checked, payer_rules, now)
        return
    checks = _describe_payer_rules(payer_rules)
    case = deposit_cases.open_altered_case(
        row, facts, checked if payer_rules else None, checks=checks, now=now
    )
    if checked and payer_rules and payer_rules[0].decision == "BLOCKED":
        log_blocked_deposit.log_blocked_deposit(row, checked, reasons=checks, now=now, ref=case.ref)


def _halt_deposit(
    row: BankTransaction,
    deposit_screening: DepositScreening,
    payer_rules: Sequence[PayerRule],
    now: datetime,
) -> None:
    """Stop a payment whose order is ended; a release by an officer leads to a new order."""
    findings = list_unanswered_findings(deposit_screening.of_payer(), cleared=frozenset())
    facts = {
        "decision": payer_rules[0].decision,
        "why": findings[0].says,
        "checks": list(_describe_payer_rules(payer_rules)),
        "quote": row.quote_id,
    }
    marks = {
        "findings": [finding.recorded() for finding in findings],
        "of": deposit_digest(deposit_screening),
    }
    # a new order id: the closed order must not be found and reused after a release
    gone: dict[str, Any] = {"routed": {}, "due_at": None, "order_id": uuid.uuid4()}
    record_transition(row, "HALTED", now=now, facts=facts | marks, rule=HALTED.code, **gone)
    deposit_cases.open_halted_case(row, deposit_screening, findings, facts=facts, now=now)


def _describe_payer_rules(payer_rules: Sequence[PayerRule]) -> tuple[str, ...]:
    return tuple(f"{payer_rule.code} payer: {payer_rule.says}" for payer_rule in payer_rules)
