"""The combined screen's rules (document 1 section 2.7; what it leaves open: DESIGN section 4).

Two tables: `findings.RULES` says what each finding does, `DECISIONS` what follows from the most
severe.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import CTR_USD, RULES, Decision

# Raised whenever a rule, a number or a sentence here, in `party_location`, `findings`, `owners` or
# `statements` changes; stored with every screen.
VERSION = "2026-11.29"

PEP_TYPES = ("payroll", "contractor")
PAYMENT_TYPES = ("vendor_payment", "payroll", "contractor", "intercompany", "other")


# Under these, OFAC may be owed a report: of property of a party that it has listed (document 1
# section 2.7, check rules 3 and 5), or of a payment rejected under a comprehensive programme
# (31 CFR 501.604). A country that FATF alone calls against is neither.
SANCTIONED = frozenset({"sanctions.match", "owner.match"})
EMBARGOED = "country.embargo"


@dataclass(frozen=True, slots=True)
class ScreenOutcome:
    """A row of the decision table: document 1 section 2.7."""

    decision: Decision
    human_required: bool
    action: str


DECISIONS: tuple[ScreenOutcome, ...] = (  # gravest first
    ScreenOutcome("BLOCKED", False, "halt; do not notify the counterparty; log for SAR review"),
    ScreenOutcome("FLAGGED", True, "route to compliance queue"),
    ScreenOutcome("APPROVED", False, "proceed automatically"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that held: its code and its reference."""

    code: str
    ref: str
    decision: Decision | None
    risk: int
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision with everything that led to it; `findings` gravest first."""

    outcome: ScreenOutcome
    risk_score: int
    findings: tuple[Finding, ...]


def judge_screen(facts: ScreenFacts) -> Judgement:
    """Apply every rule; the most severe decision wins and the highest risk counts."""
    gravity: list[Decision | None] = [*(row.decision for row in DECISIONS), None]
    # rules that only inform (None) come last; within one decision the order of the table stays
    rules = sorted(
        (rule for rule in RULES if rule.when(facts)),
        key=lambda rule: gravity.index(rule.decision),
    )
    findings = tuple(
        Finding(rule.code, rule.ref, rule.decision, rule.risk(facts), rule.reason(facts))
        for rule in rules
    )
    decided = {finding.decision for finding in findings}
    outcome = next((row for row in DECISIONS if row.decision in decided), DECISIONS[-1])
    # never below the sanctions score, which counts even under 45 %, where no rule holds (D §4, 2.7)
    risk = max([facts.sanctions_score, *(finding.risk for finding in findings)])
    return Judgement(outcome, min(100, risk), findings)


def is_ofac_concerned(codes: Collection[str], *, owed: bool) -> bool:
    """Return whether OFAC may be owed a report under rules that held.

    `owed` says whether a list on which the party or an owner was matched may be OFAC's own.
    """
    return EMBARGOED in codes or (owed and not SANCTIONED.isdisjoint(codes))


def needs_pep(*, individual: bool, payment_type: str | None) -> bool:
    """Return whether the PEP screen runs (1 §2.7 rule 4)."""
    return individual or payment_type in PEP_TYPES


def amount_flags(facts: ScreenFacts) -> list[str]:
    """Return the entries of `checks.amountFlags` (1 §2.7 rule 2)."""
    usd = facts.amount_usd
    if usd is None:
        return ["AMOUNT_NOT_CHECKED"] if facts.amount_given else []
    flags = ["CTR_EQUIVALENT_10000"] if usd >= CTR_USD else []
    if facts.large and not facts.lei_counts:
        flags.append("LARGE_WITHOUT_LEI_100000")
    return flags


def matching_ends(
    *, source: str, destination: str, holds: Callable[[str], bool]
) -> tuple[str, ...]:
    """Return the ends of a payment whose country `holds`, in words."""
    named = (("source", source), ("destination", destination))
    return tuple(f"{end} country {code}" for end, code in named if code and holds(code))


def data_quality(*, sample: bool, facts: ScreenFacts) -> str:
    """Return the worst quality of a screen's inputs (DESIGN section 4, Fail closed).

    SAMPLE if any of it is bundled sample data, PARTIAL if an input is missing: an enabled list, the
    PEP list if requested, a rate.
    """
    missing = (
        bool(facts.sources_missing),
        facts.pep_asked and facts.pep_score is None,
        facts.amount_given and facts.amount_usd is None,
    )
    return "SAMPLE" if sample else "PARTIAL" if any(missing) else "LIVE"
