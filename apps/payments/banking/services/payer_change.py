"""A routed payment of which the bank tells by now that somebody else pays it: screened anew.

What stands against who pays then ends its order while nobody sent a transfer, and halts it as a
payment that was never routed; else officers are told, and the SAR log has its entry.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.backoffice.review.findings import list_unanswered_findings
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.banking.rules.lifecycle import has_transition
from apps.payments.banking.rules.payers import PayerFacts, PayerRule, find_payer_rules
from apps.payments.banking.rules.routes import (
    HALTED,
    DeliveryFacts,
    RoutingVerdict,
    build_current_verdict,
)
from apps.payments.banking.screening.payers import DepositScreening, deposit_digest, payer_digest
from apps.payments.banking.services import cases, log_blocked_deposit, quote_deposit
from apps.payments.banking.transitions import record_transition
from apps.payments.chain.orders import close_order

PayerChecks = DepositScreening | Exception | None


def find_changed_payer(row: BankTransaction, facts: DeliveryFacts) -> RoutingVerdict | None:
    """Return what is to be screened anew of a routed payment; None where the same pays it."""
    verdict = build_current_verdict(facts)
    if verdict is None or payer_digest(verdict.payer) == _load_routed_payer_digest(row):
        return None
    return verdict


def _load_routed_payer_digest(row: BankTransaction) -> str:
    """Return the digest of who paid it as it was routed last; empty where it was not kept."""
    steps = BankEvent.objects.filter(subject=row.subject, event="ROUTED").order_by("-number")
    found = steps.first()
    return str(found.data.get("payer", "")) if found else ""


def screen_changed_payer(
    row: BankTransaction, facts: DeliveryFacts, *, now: datetime
) -> PayerChecks:
    """Screen who pays a routed payment by now, before its transaction; None for the same."""
    verdict = find_changed_payer(row, facts)
    return (
        quote_deposit.check_deposit(verdict, resource_id=row.resource_id, now=now)
        if verdict
        else None
    )


def judge_changed_payer(
    row: BankTransaction, facts: DeliveryFacts, looked: PayerChecks
) -> tuple[PayerRule, ...]:
    """Return what stands against who pays by now, the gravest first.

    What could not be looked at, or is of what was told before, counts as not screened.
    """
    verdict = find_changed_payer(row, facts)
    if verdict is None:
        return ()
    if isinstance(looked, DepositScreening) and looked.verdict == verdict:
        return find_payer_rules(looked.seen())
    return find_payer_rules(PayerFacts(verdict.amount or Decimal(0), unscreened=True, ours=True))


def stop_changed_deposit(
    row: BankTransaction,
    facts: DeliveryFacts,
    *,
    looked: PayerChecks,
    found: Sequence[PayerRule],
    now: datetime,
) -> None:
    """Have officers look at a routed payment that is told otherwise; under its lock.

    `found` is what stands against who pays. A transfer that is named counts as sent.
    """
    checked = looked if isinstance(looked, DepositScreening) else None
    if (
        found
        and checked
        and has_transition(row.THING, row.state, "HALTED")
        and close_order(row.order_id, now=now)
    ):
        _halt_deposit(row, checked, found, now)
        return
    checks = _describe_payer_rules(found)
    case = cases.open_altered_case(row, facts, checked if found else None, checks=checks, now=now)
    if checked and found and found[0].decision == "BLOCKED":
        log_blocked_deposit.log_blocked_deposit(row, checked, reasons=checks, now=now, ref=case.ref)


def _halt_deposit(
    row: BankTransaction,
    deposit_screening: DepositScreening,
    payer_rules: Sequence[PayerRule],
    now: datetime,
) -> None:
    """Halt a payment whose order is ended; what an officer releases of it is another order."""
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
    gone: dict[str, Any] = {"routed": {}, "due_at": None, "order_id": uuid.uuid4()}
    record_transition(row, "HALTED", now=now, facts=facts | marks, rule=HALTED.code, **gone)
    cases.open_halted_case(row, deposit_screening, findings, facts=facts, now=now)


def _describe_payer_rules(payer_rules: Sequence[PayerRule]) -> tuple[str, ...]:
    return tuple(f"{payer_rule.code} payer: {payer_rule.says}" for payer_rule in payer_rules)
