"""The case of a registration under review: reasons by rule, due hours, evidence view.

DESIGN.md section 8.
"""

from collections.abc import Collection

from apps.backoffice.review.case_type_parts import hours_by_risk
from apps.backoffice.review.case_types import (
    CaseType,
    DueTimes,
    OutcomeLabels,
    Reason,
    RuleLabel,
    SecondRule,
)
from apps.compliance.payees.evidence_view import build_evidence_view, sanctions_lists
from apps.compliance.payees.rules.notes import build_reason_template
from apps.compliance.payees.rules.registration_findings import RULES
from apps.compliance.payees.services.case_decisions import apply_registration_decision
from apps.compliance.payees.services.refused_additions import REFUSED

# references of rules in rules/registration_findings.py, grouped by what an officer has to find out
HIT = frozenset({"1 §2.7 rule 3 partial"})
UNCHECKED = frozenset({"D §4 fail closed, name", "D §4 fail closed, lists"})
NAMES = frozenset({"D §4 2.3 GLEIF's name", "D §4 2.3 further names", "D §4 2.3 another's name"})
COUNTRY = frozenset({"D §4 2.3 high-risk country"})
PLACE = frozenset({"D §4 2.3 GLEIF's country", "D §4 2.3 another country"})
ENTITY = frozenset({"D §4 2.3 same entity", "D §4 2.3 another name", "D §4 2.3 earlier entity"})
LAPSED = frozenset({"D §4 2.3 lapsed"})
# the first that applies heads the case
SEVERITY_ORDER = (HIT, UNCHECKED, ENTITY, NAMES, COUNTRY, PLACE, LAPSED)

APPROVE = (
    Reason(
        "DIFFERENT_PARTY",
        "Different party: identifiers or register entries differ",
        "FATF R.6",
        HIT,
        build_reason_template("Not the listed party, because", HIT),
    ),
    Reason(
        "CHECK_COMPLETED",
        "The missing check was completed by other means",
        "FATF R.10",
        UNCHECKED,
        build_reason_template("Checked by other means", UNCHECKED),
    ),
    Reason(
        "ENTITY_CONFIRMED",
        "The registered entity holds the wallet",
        "FATF R.16",
        ENTITY | PLACE,
        build_reason_template("The wallet belongs to the registered entity", ENTITY | PLACE),
    ),
    Reason(
        "NAME_CONFIRMED",
        "The names belong to the entity: register extract or trade mark seen",
        "FATF R.10",
        NAMES,
        build_reason_template("The name belongs to the entity, as shown by", NAMES),
    ),
    Reason(
        "DUE_DILIGENCE_DONE",
        "Enhanced due diligence is done: ownership and source of funds are known",
        "FATF R.19",
        COUNTRY,
        build_reason_template("Enhanced due diligence found", COUNTRY),
    ),
    Reason(
        "LEI_BEING_RENEWED",
        "The LEI is being renewed, or is not needed",
        "FATF R.16",
        LAPSED,
        build_reason_template("The LEI", LAPSED),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)
REJECT = (
    Reason(
        REFUSED,
        "Remove the added names, LEI or country: not the entity's; the wallet stays registered",
        "FATF R.10",
        NAMES | PLACE,
        build_reason_template(
            "Removed, because the entity's data does not support it", NAMES | PLACE
        ),
    ),
    Reason(
        "LISTED_PARTY",
        "The party is the listed party",
        "FATF R.6",
        HIT,
        build_reason_template("The listed party, because", HIT),
        is_listed=True,
    ),
    Reason(
        "ANOTHER_ENTITY",
        "The wallet belongs to another entity",
        "FATF R.16",
        ENTITY | NAMES | PLACE,
        build_reason_template("The wallet is not the registered entity's", ENTITY | NAMES | PLACE),
    ),
    Reason(
        "NOT_IDENTIFIED",
        "The entity could not be identified",
        "FATF R.10",
        HIT | UNCHECKED | NAMES | COUNTRY | PLACE | LAPSED,
        build_reason_template(
            "Requested and not provided", HIT | UNCHECKED | NAMES | COUNTRY | PLACE | LAPSED
        ),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)


def concerns_ofac(refs: Collection[str], *, owed: bool) -> bool:
    """Return whether a report to OFAC may be due: where a sanctioned party may be meant."""
    return owed and not HIT.isdisjoint(refs)


REGISTRATION = CaseType(
    title="Registration under review",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    gravity=SEVERITY_ORDER,
    due=hours_by_risk(high=4, medium=10, low=30),
    paces=(
        DueTimes("A sanctioned party may be meant", HIT, hours_by_risk(high=4, medium=8, low=8)),
    ),
    risks=(
        "A partial hit on a sanctions list is HIGH from 60, otherwise MEDIUM.",
        "An entity other than the wallet's last one is HIGH, as is another's name as an alias.",
        "If only the LEI has lapsed, the risk is LOW; any other finding is MEDIUM.",
    ),
    seconds=(SecondRule("REGISTRY-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),),
    words={
        "APPROVE": OutcomeLabels("Keep registration", "Registration kept"),
        "REJECT": OutcomeLabels("Deactivate wallet or remove additions", "Refused"),
    },
    true_matches=("LISTED_PARTY",),
    concerns_ofac=concerns_ofac,
    lists=sanctions_lists,
    picture=build_evidence_view,
    decided=apply_registration_decision,
    rules={rule.ref: RuleLabel(rule.title) for rule in RULES if rule.outcome == "REVIEW"},
)
