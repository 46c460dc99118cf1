"""What a registration may find: one row a rule. Pure.

A full hit on a sanctions list and a country under embargo refuse; everything else that is found
leaves the wallet active under review, until an officer has decided (DESIGN.md section 4, 2.3).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from apps.backoffice.review.rules.risks import find_highest_risk
from apps.compliance.payees.rules.lei_states import ACTIVE
from apps.compliance.payees.rules.registration_facts import RegistrationFacts, format_countries
from apps.reference.countries.rules import EMBARGO
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE

__all__ = [
    "RULES",
    "VERSION",
    "Finding",
    "Judgement",
    "RegistrationFacts",
    "Rule",
    "build_finding",
    "judge_registration",
]

VERSION = "2026-11.4"
Outcome = Literal["REFUSED", "REVIEW"]
HIGH_HIT = 60  # as in the case of a screen: from here a sanctioned party is likely meant


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: `when` it holds, it leads to `outcome`, and `reason` explains it.

    `code` never changes, `ref` cites the specification or the design.
    """

    code: str
    ref: str
    title: str
    outcome: Outcome
    when: Callable[[RegistrationFacts], bool]
    risk: Callable[[RegistrationFacts], str]
    reason: Callable[[RegistrationFacts], str]


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that held of a registration."""

    code: str
    ref: str
    outcome: Outcome
    risk: str
    reason: str


def _fixed_risk(risk: str) -> Callable[[RegistrationFacts], str]:
    return lambda facts: risk


def _hit_risk(facts: RegistrationFacts) -> str:
    return "HIGH" if facts.score >= HIGH_HIT else "MEDIUM"


def _describe_elsewhere(facts: RegistrationFacts) -> str:
    named = "; ".join(f"{name} ({wallet})" for wallet, name in facts.elsewhere)
    return f"LEI {facts.lei} is registered under another name: {named}."


def _describe_borrowed(facts: RegistrationFacts) -> str:
    named = "; ".join(f"{alias} ({whose})" for alias, whose in facts.borrowed)
    return f"Aliases equal or similar to another entity's legal name: {named}."


RULES = (
    Rule(
        "country.call_for_action",
        "1 §2.7 rule 1 blacklist",
        "A country of the entity is on the FATF call for action",
        "REFUSED",
        lambda f: bool(f.listed("CALL_FOR_ACTION")),
        _fixed_risk("HIGH"),
        lambda f: f"FATF call for action: {f.listed('CALL_FOR_ACTION')}.",
    ),
    Rule(
        "country.embargo",
        "D §4 countries, embargo",
        "A country of the entity is under a comprehensive embargo",
        "REFUSED",
        lambda f: bool(f.listed(EMBARGO)),
        _fixed_risk("HIGH"),
        lambda f: f"Comprehensive embargo: {f.listed(EMBARGO)}.",
    ),
    Rule(
        "sanctions.match",
        "1 §2.7 rule 3",
        f"Name, wallet or LEI matches a sanctioned party at {BLOCK_SCORE}% or more",
        "REFUSED",
        lambda f: f.score >= BLOCK_SCORE,
        _fixed_risk("HIGH"),
        lambda f: f"Sanctions match of {f.score}%: {f.matched}.",
    ),
    Rule(
        "sanctions.partial",
        "1 §2.7 rule 3 partial",
        f"The name matches a sanctioned party at {PARTIAL_SCORE}-{BLOCK_SCORE - 1}%",
        "REVIEW",
        lambda f: PARTIAL_SCORE <= f.score < BLOCK_SCORE,
        _hit_risk,
        lambda f: f"Partial sanctions match of {f.score}%: {f.matched}.",
    ),
    Rule(
        "country.high_risk",
        "D §4 2.3 high-risk country",
        "A country of the entity is under FATF increased monitoring or EU high-risk",
        "REVIEW",
        lambda f: bool(f.listed("INCREASED_MONITORING", "EU_HIGH_RISK")),
        _fixed_risk("MEDIUM"),
        lambda f: (
            f"High-risk country: {f.listed('INCREASED_MONITORING', 'EU_HIGH_RISK')}; enhanced due "
            "diligence applies."
        ),
    ),
    Rule(
        "country.differs",
        "D §4 2.3 GLEIF's country",
        "GLEIF does not have this country for the LEI",
        "REVIEW",
        lambda f: f.differs,
        _fixed_risk("MEDIUM"),
        lambda f: (
            f"GLEIF has {format_countries(*f.at_gleif)} for LEI {f.lei}, and "
            f"{format_countries(f.country)} was submitted."
        ),
    ),
    Rule(
        "country.changed",
        "D §4 2.3 another country",
        "The country differs from the one that the wallet was registered with",
        "REVIEW",
        lambda f: f.moved,
        _fixed_risk("MEDIUM"),
        lambda f: (
            f"The country was {format_countries(f.before)} and is "
            f"{format_countries(f.country)} now: a "
            "company of the same name there may be a different one."
        ),
    ),
    Rule(
        "name.not_checked",
        "D §4 fail closed, name",
        "A name could not be checked in full",
        "REVIEW",
        lambda f: bool(f.unread),
        _fixed_risk("MEDIUM"),
        lambda f: f"The name is not fully checked: {' '.join(f.unread)}",
    ),
    Rule(
        "lists.lacking",
        "D §4 fail closed, lists",
        "An enabled sanctions list is missing or too old",
        "REVIEW",
        lambda f: bool(f.lacking),
        _fixed_risk("MEDIUM"),
        lambda f: f"Not every list was checked: {' '.join(f.lacking)}",
    ),
    Rule(
        "lei.other_name",
        "D §4 2.3 GLEIF's name",
        "The legal name differs from GLEIF's name for the LEI",
        "REVIEW",
        lambda f: bool(f.lei) and not f.gleif_agrees,
        _fixed_risk("MEDIUM"),
        lambda f: f"GLEIF has {f.gleif_name} for LEI {f.lei}, and {f.legal_name} was submitted.",
    ),
    Rule(
        "lei.elsewhere",
        "D §4 2.3 same entity",
        "Another wallet is registered for the entity (LEI) under another name",
        "REVIEW",
        lambda f: bool(f.elsewhere),
        _fixed_risk("MEDIUM"),
        _describe_elsewhere,
    ),
    Rule(
        "wallet.contested",
        "D §4 2.3 another name",
        "Another entity was submitted for an active wallet",
        "REVIEW",
        lambda f: bool(f.contested),
        _fixed_risk("MEDIUM"),
        lambda f: f"{f.contested} was submitted for a wallet registered to {f.legal_name}.",
    ),
    Rule(
        "wallet.earlier_entity",
        "D §4 2.3 earlier entity",
        "The wallet was previously registered to another entity",
        "REVIEW",
        lambda f: bool(f.earlier),
        _fixed_risk("HIGH"),
        lambda f: (
            f"The wallet was previously registered to {f.earlier}: {f.legal_name} takes effect "
            "once two officers have confirmed it and the cooling-off period has ended."
        ),
    ),
    Rule(
        "names.added",
        "D §4 2.3 further names",
        "Names were added to an active registration",
        "REVIEW",
        lambda f: bool(f.added),
        _fixed_risk("MEDIUM"),
        lambda f: f"Names were added to an active registration: {', '.join(f.added)}.",
    ),
    Rule(
        "names.borrowed",
        "D §4 2.3 another's name",
        "An alias is equal or similar to the legal name of another entity",
        "REVIEW",
        lambda f: bool(f.borrowed),
        _fixed_risk("HIGH"),
        _describe_borrowed,
    ),
    Rule(
        "lei.not_active",
        "D §4 2.3 lapsed",
        "The LEI is not in force: lapsed, retired or of unknown status",
        "REVIEW",
        lambda f: bool(f.lei) and f.lei_status != ACTIVE,
        _fixed_risk("LOW"),
        lambda f: f"LEI {f.lei} is {f.lei_status}.",
    ),
)


# findings whose rules are public (problems.build_refusal)
COUNTRY_CODES = frozenset({"country.call_for_action", "country.embargo"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rules that held, the most severe first."""

    findings: tuple[Finding, ...]

    @property
    def refused(self) -> bool:
        """Whether the registration may not be made."""
        return any(finding.outcome == "REFUSED" for finding in self.findings)

    def owes_ofac(self, *, listed: bool) -> bool:
        """Return whether a report to OFAC may be due; `listed`: a matched list may be OFAC's.

        A country that only FATF lists is under none of OFAC's programmes.
        """
        codes = {finding.code for finding in self.findings}
        return "country.embargo" in codes or (listed and "sanctions.match" in codes)

    @property
    def by_country(self) -> tuple[Finding, ...]:
        """The findings that refuse for a country, which may be disclosed because it is public."""
        refusing = [finding for finding in self.findings if finding.outcome == "REFUSED"]
        return tuple(finding for finding in refusing if finding.code in COUNTRY_CODES)

    @property
    def risk(self) -> str:
        """The risk of the case: the highest of the findings."""
        risks = {finding.risk for finding in self.findings}
        return find_highest_risk(risks)


def build_finding(rule: Rule, facts: RegistrationFacts) -> Finding:
    """Return the finding of a rule that holds for these facts."""
    reason = rule.reason(facts)
    # a name at the end may have its own full stop: `Apple Inc.`
    reason = f"{reason.rstrip('.')}." if reason.endswith("..") else reason
    return Finding(rule.code, rule.ref, rule.outcome, rule.risk(facts), reason)


def judge_registration(facts: RegistrationFacts) -> Judgement:
    """Return every rule that holds, in the order of the table."""
    return Judgement(tuple(build_finding(rule, facts) for rule in RULES if rule.when(facts)))
