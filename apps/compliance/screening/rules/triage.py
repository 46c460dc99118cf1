"""Risk of the case of a FLAGGED screen, and its due time. Pure.

One table of hours by the reason for the case and by its risk; senior officers see it at the desk. A
sanctions hit is never LOW, and is never due later than a country rule.
"""

from collections.abc import Iterable

from apps.backoffice.review.case_type_parts import hours_by_risk
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.screen import Finding

Floors = tuple[tuple[int, str], ...]

# What a case weighs: the first row whose floor is reached, by the risk score of the screen and,
# where a sanctioned party may be meant, by the score of that hit alone. The graver one counts.
CASE_RISKS: Floors = ((70, "HIGH"), (50, "MEDIUM"), (0, "LOW"))
SANCTIONS_RISKS: Floors = ((60, "HIGH"), (0, "MEDIUM"))
SANCTIONS_HITS = frozenset({"sanctions.partial", "owner.partial", "owner.minority"})
SANCTIONS_NEVER = frozenset({"LOW"})  # no floor of SANCTIONS_RISKS leads there
# the rule of an embargo, as findings.RULES cites it
EMBARGO_REF = "D §4 countries, embargo"


def case_risk(*, risk_score: int, findings: Iterable[Finding]) -> str:
    """Return the risk class of the review case of a FLAGGED screen."""
    hits = [finding.risk for finding in findings if finding.code in SANCTIONS_HITS]
    risks = {
        _risk_for_score(CASE_RISKS, risk_score),
        *(_risk_for_score(SANCTIONS_RISKS, score) for score in hits),
    }
    return find_highest_risk(risks)


def case_ref(finding: Finding, facts: ScreenFacts) -> str:
    """Return the reference of the rule by which a finding brings its case to an officer."""
    # an address or an owner under a comprehensive embargo is an embargo case: due diligence on a
    # country that is merely watched does not answer it
    by_code = {
        "country.address": facts.address_embargoed,
        "owner.country": any(node.embargoed for node in facts.nodes),
    }
    return EMBARGO_REF if by_code.get(finding.code) else finding.ref


def _risk_for_score(floors: Floors, score: int) -> str:
    return next(risk for floor, risk in floors if score >= floor)


# DUE-1: one day of the desk has ten hours
SANCTIONS_DUE = hours_by_risk(high=4, medium=8, low=8)  # never LOW; were it so, no later
PEP_DUE = hours_by_risk(high=4, medium=10, low=30)
COUNTRY_DUE = hours_by_risk(high=4, medium=10, low=30)
OWNERSHIP_DUE = hours_by_risk(high=4, medium=10, low=30)
OTHER_DUE = hours_by_risk(high=4, medium=10, low=30)

WORDS = (
    "A case is HIGH risk from a risk score of 70, MEDIUM from 50, otherwise LOW.",
    "Where a sanctioned party may be meant it is HIGH from a score of 60 of that hit, otherwise "
    "MEDIUM: a sanctions hit is never LOW.",
)
