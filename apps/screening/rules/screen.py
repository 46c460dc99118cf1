"""The combined screen's rules (document 1 section 2.7; what it leaves open: DESIGN section 4).

Two tables: `RULES` says what each finding does, `DECISIONS` what follows from the gravest.
Every rule is a pure function of `Facts` and comes with the reference that is stored.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.screening.rules.facts import Facts
from apps.screening.rules.owners import COUNTRY_RISKS, NodeFact, listed_country
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE, PEP_SCORE

Decision = Literal["APPROVED", "FLAGGED", "BLOCKED"]

# Raised whenever a rule or a number below changes; stored with every screen.
VERSION = "2026-11.4"

CTR_USD = Decimal(10_000)  # document 1 section 8: CTR-equivalent flag
R16_USD = Decimal(1_000)  # FATF R.16, DESIGN section 4 (2.7)
NOT_CHECKED_RISK = 50
MINORITY_RISK = 69  # as much as a match that does not block
PEP_TYPES = ("payroll", "contractor")
PAYMENT_TYPES = ("vendor_payment", "payroll", "contractor", "intercompany", "other")


@dataclass(frozen=True, slots=True)
class Rule:
    """A finding: `when` it holds, it moves towards `decision`, adds `risk` and says `reason`.

    `decision` None informs only. `ref` names document, section and rule.
    """

    ref: str
    title: str
    decision: Decision | None
    when: Callable[[Facts], bool]
    risk: Callable[[Facts], int]
    reason: Callable[[Facts], str]


def _fixed(risk: int) -> Callable[[Facts], int]:
    return lambda facts: risk


def _hit_nodes(facts: Facts, low: int, high: int) -> list[NodeFact]:
    return [n for n in facts.nodes if n.score is not None and low <= n.score <= high]


def _listed(facts: Facts, *, controls: bool) -> list[NodeFact]:
    return [n for n in _hit_nodes(facts, BLOCK_SCORE, 100) if n.controls is controls]


def _named(nodes: list[NodeFact]) -> str:
    return "; ".join(f"{n.said} at {n.score}%" for n in nodes)


def _sanctions(facts: Facts) -> str:
    """Say whom the name resembles, and what else agreed or contradicted."""
    said = f"{facts.sanctions_score}%: {facts.sanctions_name}."
    return " ".join((said, *facts.sanctions_notes))


RULES: tuple[Rule, ...] = (
    Rule(
        "1 §2.7 rule 1 blacklist",
        "A country of the payment is on the FATF call for action",
        "BLOCKED",
        lambda f: bool(f.labels("CALL_FOR_ACTION")),
        _fixed(100),
        lambda f: f"FATF call for action: {', '.join(f.labels('CALL_FOR_ACTION'))}.",
    ),
    Rule(
        "1 §2.7 rule 1 grey list",
        "A country of the payment is under FATF increased monitoring",
        "FLAGGED",
        lambda f: bool(f.labels("INCREASED_MONITORING")),
        _fixed(60),
        lambda f: (
            f"FATF increased monitoring: {', '.join(f.labels('INCREASED_MONITORING'))}; "
            "enhanced due diligence applies."
        ),
    ),
    Rule(
        "D §4 countries, EU",
        "A country of the payment is an EU high-risk third country",
        "FLAGGED",
        lambda f: bool(f.labels("EU_HIGH_RISK")),
        _fixed(50),
        lambda f: (
            f"EU high-risk third country: {', '.join(f.labels('EU_HIGH_RISK'))}; "
            "enhanced due diligence applies."
        ),
    ),
    Rule(
        "D §4 countries, embargo",
        "A country of the payment is under a comprehensive embargo",
        "FLAGGED",
        lambda f: bool(f.embargoed),
        _fixed(60),
        lambda f: f"Embargo: {', '.join(f.embargoed)}; a comprehensive programme is in force.",
    ),
    Rule(
        "1 §2.7 rule 2 reporting",
        "10,000 USD or more: informational, decides nothing",
        None,
        lambda f: f.amount_usd is not None and f.amount_usd >= CTR_USD,
        _fixed(10),
        lambda f: "Amount of 10,000 USD or more: CTR-equivalent, for information.",
    ),
    Rule(
        "1 §2.7 rule 2 large",
        "100,000 USD or more without an LEI that counts",
        "FLAGGED",
        lambda f: f.large and not f.lei_counts,
        _fixed(60),
        lambda f: "Amount of 100,000 USD or more without an LEI that counts.",
    ),
    Rule(
        "D §4 fail closed, amount",
        "An amount whose currency has no current reference rate",
        "FLAGGED",
        lambda f: f.amount_given and f.amount_usd is None,
        _fixed(NOT_CHECKED_RISK),
        lambda f: "Amount not checked: no current reference rate for its currency.",
    ),
    Rule(
        "D §4 fail closed, LEI",
        "An LEI was given and does not count: informational by itself",
        None,
        lambda f: f.lei_given and not f.lei_counts,
        _fixed(0),
        lambda f: f"The LEI does not count: {f.lei_note}",
    ),
    Rule(
        "D §4 fail closed, LEI of another",
        "The name and the LEI belong to different companies",
        "FLAGGED",
        lambda f: bool(f.lei_of),
        _fixed(NOT_CHECKED_RISK),
        lambda f: f"The name and the LEI belong to different companies: the LEI is {f.lei_of}'s.",
    ),
    Rule(
        "1 §2.7 rule 3 match",
        "The name matches a sanctioned party at 70% or more",
        "BLOCKED",
        lambda f: f.sanctions_score >= BLOCK_SCORE,
        lambda f: f.sanctions_score,
        lambda f: f"Sanctions match at {_sanctions(f)}",
    ),
    Rule(
        "1 §2.7 rule 3 partial",
        "The name matches a sanctioned party at 45-69%",
        "FLAGGED",
        lambda f: PARTIAL_SCORE <= f.sanctions_score < BLOCK_SCORE,
        lambda f: f.sanctions_score,
        lambda f: f"Partial sanctions match at {_sanctions(f)}",
    ),
    Rule(
        "D §4 fail closed, name",
        "A name of the party was not fully checked",
        "FLAGGED",
        lambda f: bool(f.unread),
        _fixed(NOT_CHECKED_RISK),
        lambda f: f"Name not fully checked: {' '.join(f.unread)}",
    ),
    Rule(
        "1 §2.7 rule 4",
        "The name matches a politically exposed person at 60% or more",
        "FLAGGED",
        lambda f: f.pep_score is not None and f.pep_score >= PEP_SCORE,
        lambda f: (f.pep_score or 0) * 8 // 10,
        lambda f: f"Politically exposed person at {f.pep_score}%: {f.pep_name}.",
    ),
    Rule(
        "D §4 fail closed, PEP",
        "The PEP screen was due and could not run",
        "FLAGGED",
        lambda f: f.pep_asked and f.pep_score is None,
        _fixed(NOT_CHECKED_RISK),
        lambda f: "Politically exposed persons not checked: no current list.",
    ),
    Rule(
        "D §4 fail closed, lists",
        "An enabled list is not held, held in part, or too old",
        "FLAGGED",
        lambda f: bool(f.sources_missing),
        _fixed(NOT_CHECKED_RISK),
        lambda f: f"Lists not checked: {' '.join(f.sources_missing)}",
    ),
    Rule(
        "1 §2.7 rule 5",
        "A party in the ownership chain is sanctioned",
        "BLOCKED",
        lambda f: bool(_listed(f, controls=True)),
        _fixed(100),
        lambda f: f"Sanctions at an owner: {_named(_listed(f, controls=True))}.",
    ),
    Rule(
        "D §4 Owners, minority",
        "A sanctioned owner holds less than half, with all that are sanctioned",
        "FLAGGED",
        lambda f: bool(_listed(f, controls=False)),
        _fixed(MINORITY_RISK),
        lambda f: f"Sanctions at an owner of less than half: {_named(_listed(f, controls=False))}.",
    ),
    Rule(
        "D §4 Owners, country",
        "A party in the ownership chain is of a listed country",
        "FLAGGED",
        lambda f: bool(listed_country(f.nodes)),
        lambda f: max(COUNTRY_RISKS[n.label] for n in listed_country(f.nodes)),
        lambda f: (
            "Listed country in the ownership chain: "
            + "; ".join(f"{n.said}: {n.label}" for n in listed_country(f.nodes))
            + "; enhanced due diligence applies."
        ),
    ),
    Rule(
        "1 §2.7 rule 3 partial, owner",
        "A party in the ownership chain matches a sanctioned party at 45-69%",
        "FLAGGED",
        lambda f: bool(_hit_nodes(f, PARTIAL_SCORE, BLOCK_SCORE - 1)),
        lambda f: max(n.score or 0 for n in _hit_nodes(f, PARTIAL_SCORE, BLOCK_SCORE - 1)),
        lambda f: (
            f"Partial sanctions match at an owner: "
            f"{_named(_hit_nodes(f, PARTIAL_SCORE, BLOCK_SCORE - 1))}."
        ),
    ),
    Rule(
        "D §4 fail closed, ownership",
        "An LEI was given and its ownership chain could not be checked to the end",
        "FLAGGED",
        lambda f: f.lei_given and bool(f.chain_note),
        _fixed(NOT_CHECKED_RISK),
        lambda f: f"Ownership not checked: {f.chain_note}",
    ),
)

# Under these, property of a sanctioned party may be blocked (document 1 section 2.7, check rules
# 3 and 5); a country alone is no blocking of property
SANCTIONED = frozenset({"1 §2.7 rule 3 match", "1 §2.7 rule 5"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of the decision table: document 1 section 2.7."""

    decision: Decision
    human_required: bool
    action: str


DECISIONS: tuple[Outcome, ...] = (  # gravest first
    Outcome("BLOCKED", False, "halt; do not notify the counterparty; log for SAR review"),
    Outcome("FLAGGED", True, "route to compliance queue"),
    Outcome("APPROVED", False, "proceed automatically"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that held."""

    ref: str
    decision: Decision | None
    risk: int
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision with everything that led to it; `findings` gravest first."""

    outcome: Outcome
    risk_score: int
    findings: tuple[Finding, ...]


def judge(facts: Facts) -> Judgement:
    """Apply every rule; the gravest decision wins and the highest risk counts.

    `risk_score` is never below the sanctions score, which counts even under 45% (D §4, 2.7).
    """
    gravity: list[Decision | None] = [*(row.decision for row in DECISIONS), None]
    held = sorted(
        (rule for rule in RULES if rule.when(facts)),
        key=lambda rule: gravity.index(rule.decision),
    )
    found = tuple(
        Finding(rule.ref, rule.decision, rule.risk(facts), rule.reason(facts)) for rule in held
    )
    decided = {finding.decision for finding in found}
    outcome = next((row for row in DECISIONS if row.decision in decided), DECISIONS[-1])
    risk = max([facts.sanctions_score, *(finding.risk for finding in found)])
    return Judgement(outcome, min(100, risk), found)


def needs_pep(*, individual: bool, payment_type: str | None) -> bool:
    """Tell whether the PEP screen runs (1 §2.7 rule 4)."""
    return individual or payment_type in PEP_TYPES


def amount_flags(facts: Facts) -> list[str]:
    """Return the entries of `checks.amountFlags` (1 §2.7 rule 2)."""
    usd = facts.amount_usd
    if usd is None:
        return ["AMOUNT_NOT_CHECKED"] if facts.amount_given else []
    flags = ["CTR_EQUIVALENT_10000"] if usd >= CTR_USD else []
    if facts.large and not facts.lei_counts:
        flags.append("LARGE_WITHOUT_LEI_100000")
    return flags


def ends(*, source: str, destination: str, holds: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the ends of a payment whose country `holds`, in words."""
    named = (("source", source), ("destination", destination))
    return tuple(f"{end} country {code}" for end, code in named if code and holds(code))


def quality(*, sample: bool, facts: Facts) -> str:
    """Return the worst quality of a screen's inputs (DESIGN section 4, Fail closed).

    SAMPLE when any of it is bundled sample data, PARTIAL when an enabled list is missing.
    """
    return "SAMPLE" if sample else "PARTIAL" if facts.sources_missing else "LIVE"


def r16_basis(facts: Facts) -> str:
    """Return the basis of the FATF R.16 attestation (DESIGN section 4, 2.7)."""
    if facts.lei_counts:
        return "LEI_VERIFIED"
    if facts.amount_usd is not None and facts.amount_usd < R16_USD:
        return "BELOW_THRESHOLD"
    return "NAME_ONLY"


# What an officer's case weighs: first row whose floor the risk score reaches.
CASE_RISKS = ((70, "HIGH"), (50, "MEDIUM"), (0, "LOW"))


def case_risk(risk_score: int) -> str:
    """Return the risk class of the review case of a FLAGGED screen."""
    return next(risk for floor, risk in CASE_RISKS if risk_score >= floor)
