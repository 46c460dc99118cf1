"""Every condition that a rule table prints is tried where it holds and where it just does not."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import apps
from apps.compliance.agents.rules.levels import LEI_RULES, LEVEL_RULES, AgentOwner
from apps.compliance.agents.rules.owner_proofs import PROOF_RULES, WalletProof
from apps.compliance.agents.rules.spend_limits import SPEND_RULES, AgentPayment, SpendLimits
from apps.compliance.aml.rules.profile_inclusion import EXCLUSIONS, ScreenAttempt
from apps.compliance.aml.rules.scorecard import MATURITIES
from apps.compliance.screening.rules import findings, pep
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.offices import Office
from apps.compliance.screening.rules.owners import NodeFact
from apps.compliance.screening.rules.rescreening import RULINGS, MatchPair
from apps.insight.esg.oracle.rules import articles
from apps.insight.stability.oracle.rules import decision, usd_outlook
from apps.payments.banking.rules import automatic_sending, payers
from apps.payments.payments.pain001.rules import MESSAGE_RULES, MessageFacts
from apps.payments.payments.rules import messages
from apps.payments.settlement.rules import flow
from apps.payments.travelrule.rules import record_status

TESTS = Path(__file__).resolve().parents[1]
DAY = date(2026, 11, 20)
# tables whose conditions are tried in a table of cases of their own, which names each row
ELSEWHERE = {
    "apps.payments.banking.rules.routes": "banking/test_routing_rules.py",
    "apps.reference.lei.rules.registration": "lei/test_rules.py",
    "apps.payments.payments.pain001.rules": "payments/pain001/test_rules.py",
    "apps.compliance.payees.rules.registration_findings": "payees/registration/test_rules.py",
    "apps.compliance.payees.rules.import_lines": "payees/registration/test_import.py",
    "apps.compliance.payees.rules.submission_steps": "payees/registration/test_rules.py",
    "apps.compliance.payees.rules.next_steps": "payees/registration/test_review_queue.py",
    "apps.insight.reports.rules": "reports/test_findings.py",
    "apps.compliance.screening.rules.threshold_effects": "screening/test_thresholds.py",
    "apps.compliance.screening.rules.statements": "screening/test_statements.py",
    "apps.compliance.payees.rules.payee_check": "payees/vop/test_check_tiers.py",
}


@dataclass(frozen=True)
class Table:
    """Rows with a condition, facts to begin with, and for each row changes of these facts.

    A row that takes all that is left has no changes with which it does not hold.
    """

    rows: tuple[Any, ...]
    base: Any
    cases: dict[str, tuple[Any, Any]]
    key: str = "code"
    more: tuple[Any, ...] = ()

    def holds(self, row: Any, changes: Any) -> bool:
        """Return whether the condition of a row holds of the facts with changes."""
        facts = changes if self.base is None else replace(self.base, **changes)
        condition = getattr(row, "when", None)
        condition = condition if callable(condition) else row.holds
        return bool(condition(facts, *self.more))


ANYTHING: Any = object()  # as what does not hold: the row takes all that is left


def owner_node(score: int | None, **changes: Any) -> dict[str, Any]:
    node = NodeFact(role="DIRECT_PARENT", lei="", name="Acme", score=score)
    return {"nodes": (replace(node, **changes),)}


OWNED = {"lei": "5493001KJTIIGC8Y1R12", "asked": "KNOWN", "status": "ISSUED", "standing": "ACTIVE"}
NATIONAL = (Office("Minister of Finance", "DE"),)
TABLES: dict[str, Table] = {
    "findings of a screen": Table(
        findings.RULES,
        ScreenFacts(source="US", source_label="STANDARD", destination="DE",
                    destination_label="STANDARD"),
        {
            "country.call_for_action": (
                {"destination_label": "CALL_FOR_ACTION"},
                {"destination_label": "INCREASED_MONITORING"},
            ),
            "country.increased_monitoring": (
                {"source_label": "INCREASED_MONITORING"}, {"source_label": "EU_HIGH_RISK"},
            ),
            "country.eu_high_risk": (
                {"source_label": "EU_HIGH_RISK"}, {"source_label": "STANDARD"},
            ),
            "country.embargo": ({"embargoed": ("CU",)}, {}),
            "country.address": (
                {"address_label": "EU_HIGH_RISK"}, {"address_label": "NOT_PROVIDED"},
            ),
            "amount.reporting": (
                {"amount_usd": Decimal(10_000)}, {"amount_usd": Decimal("9999.99")},
            ),
            "amount.large": (
                {"amount_given": True, "amount_usd": Decimal(100_000)},
                {"amount_given": True, "amount_usd": Decimal("99999.99")},
            ),
            "amount.not_checked": (
                {"amount_given": True}, {"amount_given": True, "amount_usd": Decimal(1)},
            ),
            "lei.does_not_count": (
                {"lei_given": True}, {"lei_given": True, "lei_counts": True},
            ),
            "lei.mismatch": ({"lei_of": "Acme"}, {}),
            "sanctions.match": ({"sanctions_score": 70}, {"sanctions_score": 69}),
            "sanctions.partial": ({"sanctions_score": 45}, {"sanctions_score": 44}),
            "sanctions.known": (
                {"sanctions_known": ("Known.",), "sanctions_score": 69},
                {"sanctions_known": ("Known.",), "sanctions_score": 70},
            ),
            "name.not_checked": ({"unread": ("Too long.",)}, {}),
            "pep.match": ({"pep_score": 60}, {"pep_score": 59}),
            "pep.not_checked": ({"pep_asked": True}, {"pep_asked": True, "pep_score": 0}),
            "lists.not_checked": ({"sources_missing": ("UN.",)}, {}),
            "owner.match": (owner_node(70), owner_node(69)),
            "owner.minority": (
                owner_node(70, controls=False), owner_node(69, controls=False),
            ),
            "owner.country": (
                owner_node(0, label="EU_HIGH_RISK"), owner_node(0, label="STANDARD"),
            ),
            "owner.partial": (owner_node(45), owner_node(44)),
            "owner.not_checked": (
                {"lei_given": True, "chain_note": "No parent."}, {"lei_given": True},
            ),
        },
    ),
    "levels of office holders": Table(
        pep.RULES,
        pep.PepMatch(score=60, confidence=60, offices=()),
        {
            "holder.by_sound": ({"by_sound": True}, {"by_sound": True, "score": 59}),
            "holder.in_office": (
                {"confidence": 85, "offices": NATIONAL}, {"confidence": 84, "offices": NATIONAL},
            ),
            "holder.likely": ({"confidence": 70}, {"confidence": 69}),
            "holder.possible": ({"score": 60}, {"score": 59}),
            "holder.none": ({"score": 0}, ANYTHING),
        },
        more=(DAY,),
    ),
    "pairs of a party and a changed entry": Table(
        RULINGS,
        MatchPair(now=70, before=70),
        {
            "clear": ({"now": 44}, {"now": 45}),
            "standing": ({"standing": True}, {}),
            "known": ({"known": True, "now": 69}, {"known": True, "now": 70}),
            "woken": ({"woken": True}, {}),
            "added": ({"before": None}, {"before": 0}),
            "risen": ({"now": 70, "before": 69}, {"now": 69, "before": 45}),
            "same": ({}, ANYTHING),
        },
    ),
    "articles of the SFDR": Table(
        articles.CONDITIONS,
        articles.EntityFacts(composite=0, governance=0, statuses={10: "REVIEW", 14: "REVIEW"}),
        {
            "ART9-1": ({"composite": 80}, {"composite": 79}),
            "ART9-2": ({}, {"statuses": {3: "ELEVATED_RISK"}}),
            "ART9-3": ({}, {"statuses": {10: "REVIEW", 14: "DATA_REQUIRED"}}),
            "ART9-4": ({"taxonomy_aligned": True}, {}),
            "ART8-1": ({"composite": 50}, {"composite": 49}),
            "ART8-2": ({"governance": 50}, {"governance": 49}),
            "ART8-3": ({"statuses": {3: "ELEVATED_RISK"}}, {"statuses": {14: "ELEVATED_RISK"}}),
        },
    ),
    "whether it is safe to settle": Table(
        decision.DECISION_ROWS,
        decision.RunState(
            score=Decimal(95), deviation=Decimal(0), age=timedelta(), coverage=Decimal(1)
        ),
        {
            "REL-PEG": ({"deviation": Decimal(50)}, {"deviation": Decimal("49.99")}),
            "REL-DEFER": ({"score": Decimal("74.99")}, {"score": Decimal(75)}),
            "REL-LATE": (
                {"age": timedelta(minutes=20, seconds=1)}, {"age": timedelta(minutes=20)},
            ),
            "REL-COVERAGE": (
                {"coverage": Decimal("0.7999")}, {"coverage": Decimal("0.8")},
            ),
            "REL-CAUTION": ({"score": Decimal("89.99")}, {"score": Decimal(90)}),
            "REL-STABLE": ({"score": Decimal(90)}, {"score": Decimal("89.99")}),
        },
    ),
    "alerts of the dollar's health": Table(
        usd_outlook.ALERTS,
        None,
        {
            "USD-ALERT-1": ({"recession_signal": True}, {"recession_signal": False}),
            "USD-ALERT-2": ({"elevated": True}, {"elevated": False}),
            "USD-ALERT-3": ({"debasement_signal": True}, {"debasement_signal": False}),
            "USD-ALERT-4": ({"stress_signal": True}, {"stress_signal": False}),
            "USD-ALERT-5": ({"trend": "EXPANDING"}, {"trend": "CONTRACTING"}),
        },
    ),
    "checks of a settlement": Table(
        flow.RULES,
        flow.FlowFacts(amount_usd=Decimal(100)),
        {
            "FLOW-1": ({"aml": "BLOCK"}, {"aml": "FLAG"}),
            "FLOW-2": ({"aml": "FLAG"}, {"aml": "BLOCK"}),
            "FLOW-3": ({"aml": "PROCEED"}, {}),
            "FLOW-4": ({"listed": True}, {}),
            "FLOW-5": ({"screen": "BLOCKED"}, {"screen": "FLAGGED"}),
            "FLOW-6": ({"screen": "FLAGGED"}, {"screen": "BLOCKED"}),
            "FLOW-25": ({"office": "Jane Roe"}, {}),
            "FLOW-7": ({"screen": "APPROVED"}, {"screen": "FLAGGED"}),
            "FLOW-8": ({"contested": True}, {}),
            "FLOW-9": ({"beneficiary": True}, {}),
            "FLOW-10": ({"amount_usd": Decimal(1_000)}, {"amount_usd": Decimal("999.99")}),
            "FLOW-11": ({}, ANYTHING),
            "FLOW-12": ({"esg_of": "entity"}, {"esg_of": "live"}),
            "FLOW-13": ({"esg_of": "live"}, {"esg_of": ""}),
            "FLOW-26": ({"nobodys": True}, {}),
            "FLOW-14": ({}, {"asset": "USDC"}),
            "FLOW-15": ({"reaches": False}, {}),
            "FLOW-16": ({}, ANYTHING),
            "FLOW-17": ({"status": "UNSTABLE"}, {"status": "CAUTION"}),
            "FLOW-18": (
                {"status": "CAUTION", "amount_usd": Decimal("100000.01")},
                {"status": "CAUTION", "amount_usd": Decimal(100_000)},
            ),
            "FLOW-19": ({"status": "CAUTION"}, {"status": "STABLE"}),
            "FLOW-20": ({"status": "STABLE"}, {"status": ""}),
        },
    ),
    "the payer of a deposit": Table(
        payers.PAYER_RULES,
        payers.PayerFacts(amount=Decimal(1_000)),
        {
            "BO-1": ({"blocked": True}, {"flagged": True}),
            "BO-5": ({"aml": "BLOCK"}, {"aml": "FLAG"}),
            "BO-2": ({"flagged": True}, {"blocked": True}),
            "BO-3": ({"named": ("Lazarus Group",)}, {}),
            "BO-4": ({"known": False}, {"known": False, "amount": Decimal("999.99")}),
            "BO-6": ({"aml": "FLAG"}, {"aml": "BLOCK"}),
            "BO-7": ({"overlong": True}, {}),
            "BO-8": ({"unscreened": True}, {}),
        },
    ),
    "payments out of an account": Table(
        (*automatic_sending.ROWS, automatic_sending.APPROVED),
        automatic_sending.PaymentFacts(action="PROCEED"),
        {
            "ACH-1": ({"listed": True}, {"near": True}),
            "ACH-2": ({"action": "BLOCK"}, {"action": "FLAG"}),
            "ACH-9": ({"barred": True}, {"doubted": True}),
            "ACH-3": ({"near": True}, {"listed": True}),
            "ACH-10": ({"doubted": True}, {"barred": True}),
            "ACH-11": ({"noted": True}, {}),
            "ACH-4": ({"same_account": False}, {"same_name": False}),
            "ACH-5": ({"same_name": False}, {"same_account": False}),
            "ACH-6": ({"action": "FLAG"}, {"action": "BLOCK"}),
            "ACH-7": ({"action": ""}, {}),
            "ACH-8": ({}, ANYTHING),
        },
    ),
    "what the flags of a payment say": Table(
        messages.SENTENCES,
        messages.ClearedChecks(),
        {
            "flags.clear": ({}, ANYTHING),
            "flags.genius": ({"r16": True}, {}),
            "flags.not_genius": ({}, {"r16": True}),
            "flags.not_assessed": ({}, ANYTHING),
        },
    ),
    "what a travel-rule record is": Table(
        record_status.RECORD_RULES,
        record_status.TransferFacts(direction="OUTBOUND", amount_usd=Decimal(3_000), on=DAY),
        {
            "TR-A0": ({"direction": "INBOUND", "faults": True}, {"faults": True}),
            "TR-A1": ({"amount_usd": Decimal("2999.99")}, {}),
            "TR-A2": ({"direction": "INBOUND"}, {"direction": "INBOUND", "amount_usd": None}),
            "TR-A3": ({"direction": "INBOUND"}, {}),
            "TR-A4": ({"endpoint": True, "faults": True}, {"endpoint": True}),
            "TR-A5": ({"endpoint": True}, {}),
            "TR-A6": ({}, ANYTHING),
        },
        key="ref",
    ),
    "why an LEI does not verify an owner": Table(
        LEI_RULES,
        AgentOwner(**OWNED),  # type: ignore[arg-type]
        {
            "lei.none": ({"lei": ""}, {}),
            "lei.not_checked": ({"asked": "NOT_CHECKED"}, {}),
            "lei.unknown": ({"asked": "UNKNOWN"}, {}),
            "lei.not_issued": ({"status": "LAPSED"}, {}),
            "lei.inactive": ({"standing": "INACTIVE"}, {"standing": ""}),
            "lei.other_name": ({"agreement": 74}, {"agreement": 75}),
        },
    ),
    "levels of agents": Table(
        LEVEL_RULES,
        AgentOwner(),
        {
            "level.verified": (OWNED, OWNED | {"status": "LAPSED"}),
            "level.registered": ({"entity": "Acme", "email": True}, {"entity": "Acme"}),
            "level.anonymous": ({}, ANYTHING),
        },
    ),
    "proofs of wallets": Table(
        PROOF_RULES,
        WalletProof(lei="L", registered=True, held="L", readable=True, signed=True),
        {
            "proof.no_lei": ({"lei": ""}, {}),
            "proof.not_fresh": (
                {"age": timedelta(minutes=5, seconds=1)}, {"age": timedelta(minutes=5)},
            ),
            "proof.not_registered": ({"registered": False}, {}),
            "proof.other_lei": ({"held": "M"}, {}),
            "proof.under_review": ({"under_review": True}, {}),
            "proof.not_counting": ({"waits": True}, {}),
            "proof.other_chain": ({"readable": False}, {}),
            "proof.not_signed": ({"signed": False}, {}),
        },
    ),
    "what an agent may spend": Table(
        SPEND_RULES,
        AgentPayment(amount=Decimal(100), spent=Decimal(900), pair="USD/EUR", counterparty_lei="L",
                esg_score=40),
        {
            "agent_revoked": ({"revoked": True}, {}),
            "notional_exceeded": ({"amount": Decimal("100.01")}, {}),
            "pair_not_allowed": ({"pair": "USD/GBP"}, {}),
            "counterparty_not_allowed": ({"counterparty_lei": "M"}, {}),
            "esg_not_known": ({"esg_score": None}, {}),
            "esg_below_floor": ({"esg_score": 39}, {}),
            "daily_cap_exceeded": ({"spent": Decimal("900.01")}, {}),
        },
        more=(SpendLimits(Decimal(100), Decimal(1_000), ("USD/EUR",), ("L",), 40),),
    ),
    "payments excluded from profiles": Table(
        EXCLUSIONS,
        ScreenAttempt(action="PROCEED"),
        {
            "COUNTED": ({"before": True}, {}),
            "BLOCKED": ({"action": "BLOCK"}, {"action": "FLAG"}),
            "BLOCKED_THERE": ({"there": True}, {}),
            "STOPPED": ({"stopped": True}, {}),
            "HELD": ({"action": "FLAG", "holds": True}, {"action": "FLAG"}),
            "NO_VALUE": ({"valued": False}, {}),
        },
    ),
    "messages of pain.001": Table(
        MESSAGE_RULES,
        MessageFacts(said_count="2", count=2, said_sum="10.00", total=Decimal(10)),
        {
            "PAIN-31": ({"said_count": "3"}, {"said_count": ""}),
            "PAIN-32": ({"said_sum": "10.01"}, {}),
            "PAIN-33": (
                {"initiators": frozenset("AB"), "known": frozenset("A")},
                {"initiators": frozenset("A"), "known": frozenset("AB")},
            ),
        },
    ),
    "cohorts of wallets": Table(
        MATURITIES,
        None,
        {
            "UNKNOWN": (0, 1), "NEW": (9, 10), "DEVELOPING": (99, 100),
            "ESTABLISHED": (100, ANYTHING),
        },
        key="name",
    ),
}  # fmt: skip
CASES = [
    pytest.param(table, row, id=f"{name}: {getattr(row, table.key)}")
    for name, table in TABLES.items()
    for row in table.rows
]


@pytest.mark.parametrize(("table", "row"), CASES)
def test_a_condition_holds_of_its_case_and_not_just_short_of_it(table: Table, row: Any) -> None:
    with_it, short_of_it = table.cases[getattr(row, table.key)]
    assert table.holds(row, with_it)
    if short_of_it is not ANYTHING:
        assert not table.holds(row, short_of_it)


def conditions() -> Iterator[tuple[str, Any]]:
    """Yield each row of rules/ that has a condition as code, with the module that holds it."""
    for module in pkgutil.walk_packages(apps.__path__, "apps."):
        if ".rules" not in module.name:
            continue
        for value in vars(importlib.import_module(module.name)).values():
            for row in value if isinstance(value, tuple) else ():
                if is_dataclass(row) and not isinstance(row, type) and condition_of(row):
                    yield module.name, row


def condition_of(row: Any) -> Callable[..., bool] | None:
    """Return the condition of a row of a table of rules, None where it has none as code."""
    found = (getattr(row, name, None) for name in ("when", "holds", "finds"))
    # one with `expected` or bounds is a condition itself, and no row of a table
    printed = any(hasattr(row, name) for name in ("title", "says", "words", "when", "condition"))
    return next((one for one in found if printed and callable(one)), None)


def test_no_printed_condition_is_without_cases() -> None:
    tried = {id(row) for table in TABLES.values() for row in table.rows}
    untried = {
        f"{module}: {getattr(row, 'code', None) or row.ref}"
        for module, row in conditions()
        if id(row) not in tried and not any(module.startswith(name) for name in ELSEWHERE)
    }
    assert untried == set(), "give each a case in TABLES, on both sides of its bound"


def test_tables_with_cases_of_their_own_name_each_row_there() -> None:
    tried = {id(row) for table in TABLES.values() for row in table.rows}
    unnamed = []
    for module, row in conditions():
        if module in ELSEWHERE and type(row).__module__ == module and id(row) not in tried:
            text = (TESTS / ELSEWHERE[module]).read_text(encoding="utf-8")
            names = [getattr(row, key, "") for key in ("code", "step", "reason", "ref")]
            if not any(name and f'"{name}"' in text for name in names):
                unnamed.append(f"{module}: {names}")
    assert unnamed == []
