"""The case of a party that came up before and matches what changed on a list.

DESIGN.md section 5 (Lists) and section 8.
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
from apps.compliance.payees.evidence_view import sanctions_lists
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.rescreening.case_decisions import apply_rescreen_decision
from apps.compliance.screening.rescreening.evidence_view import build_evidence_view
from apps.compliance.screening.rules.notes import build_reason_template
from apps.compliance.screening.rules.rescreening import (
    FOUND,
    FOUND_HOLDER,
    FULL,
    NOT_CHECKED,
    PARTIAL,
)
from apps.reference.watchlists.selectors.list_entries import find_successors, load_entries

MATCH, LOOK = frozenset({FOUND[FULL].ref}), frozenset({FOUND[PARTIAL].ref})
HIT = MATCH | LOOK
HOLDER = frozenset({FOUND_HOLDER.ref})
UNCHECKED = frozenset({NOT_CHECKED.ref})
EITHER = HIT | HOLDER
ANY = EITHER | UNCHECKED

APPROVE = (
    Reason(
        "DIFFERENT_PARTY",
        "Different party: identifiers or dates differ",
        "FATF R.6",
        EITHER,
        build_reason_template("Not the listed party, because", ANY),
        false_positive=True,
    ),
    Reason(
        "NAME_ONLY",
        "Different party: only a common name matches",
        "FATF R.6",
        EITHER,
        build_reason_template("Only the name matches, because", ANY),
        false_positive=True,
    ),
    Reason(
        "PEP_ACCEPTED",
        "PEP: relationship and source of funds established",
        "FATF R.12",
        HOLDER,
        build_reason_template("Relationship and source of funds", ANY),
        is_listed=True,
    ),
    Reason(
        "CHECK_COMPLETED",
        "The missing check was completed by other means",
        "FATF R.10",
        UNCHECKED,
        build_reason_template("Checked by other means", ANY),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)
REJECT = (
    Reason(
        "LISTED_PARTY",
        "The party is the listed party",
        "FATF R.6",
        HIT,
        build_reason_template("The listed party, because", ANY),
        is_listed=True,
    ),
    Reason(
        "PEP_DECLINED",
        "PEP: source of funds not established",
        "FATF R.12",
        HOLDER,
        build_reason_template("Not established", ANY),
        is_listed=True,
    ),
    Reason(
        "NOT_IDENTIFIED",
        "The party could not be identified",
        "FATF R.10",
        ANY,
        build_reason_template("Requested and not provided", ANY),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)


def concerns_ofac(refs: Collection[str], *, owed: bool) -> bool:
    """Return whether a report to OFAC may be due: where a sanctioned party may be meant."""
    return owed and not HIT.isdisjoint(refs)


RESCREEN = CaseType(
    title="Party re-screened",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    # a name that was not compared may hide a sanctioned party, and so comes before a PEP
    gravity=(MATCH, LOOK, UNCHECKED, HOLDER),
    due=hours_by_risk(high=4, medium=8, low=8),
    paces=(DueTimes("A match at 70 % or more", MATCH, hours_by_risk(high=2, medium=2, low=2)),),
    risks=("A match with a sanctioned party is HIGH from 60 %, otherwise MEDIUM.",),
    seconds=(SecondRule("RESCREEN-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),),
    words={
        "APPROVE": OutcomeLabels("Not the listed party", "Not the listed party"),
        "REJECT": OutcomeLabels("Treat as listed", "Treated as listed"),
    },
    true_matches=("LISTED_PARTY",),
    concerns_ofac=concerns_ofac,
    lists=sanctions_lists,
    picture=build_evidence_view,
    listed=label_listed_parties,
    entries=load_entries,
    successors=find_successors,
    decided=apply_rescreen_decision,
    rules={
        rule.ref: RuleLabel(rule.title) for rule in (*FOUND.values(), FOUND_HOLDER, NOT_CHECKED)
    },
)
