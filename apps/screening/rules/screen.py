"""The combined screen's rules (document 1 section 2.7; what it leaves open: DESIGN section 4).

Two tables: `findings.RULES` says what each finding does, `DECISIONS` what follows from the
gravest.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from decimal import Decimal

from apps.screening.rules.facts import Facts
from apps.screening.rules.findings import CTR_USD, RULES, Decision

# Raised whenever a rule or a number here, in `addresses`, `findings` or `owners` changes; stored
# with every screen.
VERSION = "2026-11.19"

R16_USD = Decimal(1_000)  # FATF R.16, DESIGN section 4 (2.7)
PEP_TYPES = ("payroll", "contractor")
PAYMENT_TYPES = ("vendor_payment", "payroll", "contractor", "intercompany", "other")


# Under these, OFAC may be owed a report: of property of a party that it has listed (document 1
# section 2.7, check rules 3 and 5), or of a payment rejected under a comprehensive programme
# (31 CFR 501.604). A country that FATF alone calls against is neither.
SANCTIONED = frozenset({"sanctions.match", "owner.match"})
EMBARGOED = "country.embargo"


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
    """A rule that held: its code and its reference."""

    code: str
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
        Finding(rule.code, rule.ref, rule.decision, rule.risk(facts), rule.reason(facts))
        for rule in held
    )
    decided = {finding.decision for finding in found}
    outcome = next((row for row in DECISIONS if row.decision in decided), DECISIONS[-1])
    risk = max([facts.sanctions_score, *(finding.risk for finding in found)])
    return Judgement(outcome, min(100, risk), found)


def ofac_concerned(codes: Collection[str], *, owed: bool) -> bool:
    """Tell whether OFAC may be owed a report under rules that held.

    `owed` says whether a list on which the party or an owner was matched may be OFAC's own.
    """
    return EMBARGOED in codes or (owed and not SANCTIONED.isdisjoint(codes))


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

    SAMPLE when any of it is bundled sample data, PARTIAL when an input is missing: an enabled
    list, that of office holders where it was asked for, a rate.
    """
    missing = (
        bool(facts.sources_missing),
        facts.pep_asked and facts.pep_score is None,
        facts.amount_given and facts.amount_usd is None,
    )
    return "SAMPLE" if sample else "PARTIAL" if any(missing) else "LIVE"


def r16_basis(facts: Facts) -> str:
    """Return the basis of the FATF R.16 attestation (DESIGN section 4, 2.7)."""
    if facts.lei_counts:
        return "LEI_VERIFIED"
    if facts.amount_usd is not None and facts.amount_usd < R16_USD:
        return "BELOW_THRESHOLD"
    return "NAME_ONLY"


# What FATF R.16 still asks of the payment (notes to R.16 of June 2025 and before): below 1,000
# USD names and accounts, unverified unless there is suspicion
R16_WANTS = {
    "LEI_VERIFIED": "R.16 still asks for the names and account numbers (or a unique reference) of "
    "both parties and the originator's address with the payment; they are not part of this "
    "screen.",
    "BELOW_THRESHOLD": "Below 1,000 USD R.16 still asks for the names of originator and "
    "beneficiary and an account number or unique reference of each with the payment. They need "
    "not be verified unless there is suspicion of money laundering or terrorist financing",
    "NAME_ONLY": "R.16 asks for more than a name: account numbers (or a unique reference), the "
    "originator's address and an identifier, verified; an ISSUED LEI of the party's legal name "
    "serves as one.",
}


def r16_note(facts: Facts, decision: Decision) -> str:
    """Return what FATF R.16 still wants of the payment."""
    return r16_words(basis=r16_basis(facts), decision=decision)


def r16_words(*, basis: str, decision: str) -> str:
    """Return what FATF R.16 still wants of a payment of a basis, by how its screen ended."""
    if basis != "BELOW_THRESHOLD":
        return R16_WANTS[basis]
    suspicion = ": this screen is not clear, so verify them" if decision != "APPROVED" else ""
    return f"{R16_WANTS[basis]}{suspicion}."
