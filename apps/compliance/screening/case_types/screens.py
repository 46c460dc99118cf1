"""The case of a flagged screen: reasons by rule, hours, second officers, and its picture.

DESIGN.md section 8; the features 2, 3, 4, 16, 17 and 24 of the desk's feature list.
"""

from collections.abc import Collection

from apps.backoffice.review.case_type_parts import LARGE_SCREENED_USD
from apps.backoffice.review.case_types import (
    BulkClearRule,
    CaseType,
    DueTimes,
    Reason,
    RuleLabel,
    SecondRule,
)
from apps.compliance.screening.combined.evidence_view import build_evidence_view, sanctions_lists
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.compliance.screening.rules import notes, triage
from apps.compliance.screening.rules.findings import RULES
from apps.compliance.screening.rules.screen import is_ofac_concerned
from apps.compliance.screening.views.client_answer import describe_client_answer
from apps.reference.watchlists.selectors.list_entries import find_successors, load_entries

# References of the rules of a screen (screening/rules/screen.py) by what they are about
NAME = frozenset({"1 §2.7 rule 3 partial", "1 §2.7 rule 3 partial, owner", "1 §2.7 rule 4"})
SANCTIONS = frozenset(
    {"1 §2.7 rule 3 partial", "1 §2.7 rule 3 partial, owner", "D §4 Owners, minority"}
)
SUBJECT = frozenset({"1 §2.7 rule 3 partial"})
PEP = frozenset({"1 §2.7 rule 4"})
COUNTRY = frozenset(
    {
        "1 §2.7 rule 1 grey list",
        "D §4 countries, EU",
        "D §4 countries, address",
        "D §4 Owners, country",
    }
)
EMBARGO = frozenset({triage.EMBARGO_REF})
OWNER = frozenset(
    {
        "1 §2.7 rule 3 partial, owner",
        "D §4 Owners, minority",
        "D §4 Owners, country",
        "D §4 fail closed, ownership",
    }
)
UNCHECKED = frozenset(
    {
        "1 §2.7 rule 2 large",
        "D §4 fail closed, amount",
        "D §4 fail closed, name",
        "D §4 fail closed, LEI of another",
        "D §4 fail closed, lists",
        "D §4 fail closed, PEP",
        "D §4 fail closed, ownership",
    }
)

# The gravest first: a case of several rules is closed for what answers those of its first level
SEVERITY_ORDER = (
    SUBJECT,
    frozenset(
        {
            "1 §2.7 rule 3 partial, owner",
            "D §4 Owners, minority",
            "D §4 fail closed, ownership",
        }
    ),
    # what is forbidden is not let through because of whom else it may concern
    EMBARGO,
    PEP,
    # a check of names that was not made may hide any of the above
    frozenset({"D §4 fail closed, name", "D §4 fail closed, lists", "D §4 fail closed, PEP"}),
    COUNTRY,
    frozenset({"D §4 fail closed, LEI of another"}),
    frozenset({"1 §2.7 rule 2 large", "D §4 fail closed, amount"}),
)

APPROVE = (
    Reason(
        "DIFFERENT_PARTY",
        "Different party: identifiers or dates differ",
        "FATF R.6",
        NAME,
        notes.different_party,
        false_positive=True,
        speaks=notes.has_hard_difference,
    ),
    Reason(
        "NAME_ONLY",
        "Different party: only a common name matches",
        "FATF R.6",
        NAME,
        notes.name_only,
        false_positive=True,
    ),
    Reason(
        "PEP_ACCEPTED",
        "PEP: relationship and source of funds established",
        "FATF R.12",
        PEP,
        notes.build_reason_template("Relationship and source of funds", PEP),
        is_listed=True,
    ),
    Reason(
        "EMBARGO_LICENSED",
        "Embargo: a licence or exemption is established (say which)",
        # OFAC's licensing procedure
        "31 CFR 501.801",
        EMBARGO,
        notes.build_reason_template("Licence or exemption, with its number or section", EMBARGO),
    ),
    Reason(
        "COUNTRY_EDD",
        "Country risk: enhanced due diligence done",
        "FATF R.19",
        COUNTRY,
        notes.build_reason_template("Enhanced due diligence done", COUNTRY),
    ),
    Reason(
        "OWNERSHIP_CLEAR",
        "Ownership established, no listed owner",
        "FATF R.24",
        OWNER,
        notes.ownership_clear,
    ),
    Reason(
        "CHECK_COMPLETED",
        "The missing check was completed by other means",
        "FATF R.10",
        UNCHECKED,
        notes.build_reason_template("Checked by other means", UNCHECKED),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)
REJECT = (
    Reason(
        "LISTED_PARTY",
        "The party is the listed party",
        "FATF R.6",
        SUBJECT,
        notes.listed_party,
        is_listed=True,
    ),
    Reason(
        "LISTED_OWNER",
        "Owned or controlled by a listed party",
        "FATF R.6",
        OWNER,
        notes.listed_owner,
        is_listed=True,
        of_owner=True,
    ),
    Reason(
        "PEP_DECLINED",
        "PEP: source of funds not established",
        "FATF R.12",
        PEP,
        notes.build_reason_template("Not established", PEP),
        is_listed=True,
    ),
    Reason(
        "EMBARGO_REFUSED",
        "Embargo: no licence or exemption covers it",
        # reports of rejected transactions
        "31 CFR 501.604",
        EMBARGO,
        notes.build_reason_template("Not covered because", EMBARGO),
    ),
    Reason(
        "COUNTRY_DECLINED",
        "Country risk beyond the risk appetite",
        "FATF R.19",
        COUNTRY,
        notes.build_reason_template("Not accepted because", COUNTRY),
    ),
    Reason(
        "NOT_IDENTIFIED",
        "Party or owner could not be identified",
        "FATF R.10",
        UNCHECKED | NAME,
        notes.build_reason_template("Requested and not provided", UNCHECKED | NAME),
    ),
    Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
)

SECOND_OFFICER_RULES = (  # first match wins
    SecondRule("SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
    SecondRule(
        "SECOND-2",
        f"The amount is {LARGE_SCREENED_USD:,} USD or more.",
        lambda s: s.usd is not None and s.usd >= LARGE_SCREENED_USD,
    ),
    SecondRule(
        "SECOND-3",
        "The amount has no known value in USD.",
        lambda s: s.amount is not None and s.usd is None,
    ),
    SecondRule(
        "SECOND-4",
        "A comprehensive embargo is in force.",
        lambda s: not EMBARGO.isdisjoint(s.refs),
    ),
)


def concerns_ofac(refs: Collection[str], *, owed: bool) -> bool:
    """Return whether a report to OFAC may be due: as for a blocked screen, or a partial match."""
    codes = {rule.code for rule in RULES if rule.ref in refs}
    return is_ofac_concerned(codes, owed=owed) or (owed and not SANCTIONS.isdisjoint(refs))


SCREEN = CaseType(
    title="Flagged screen",
    reasons={"APPROVE": APPROVE, "REJECT": REJECT},
    gravity=SEVERITY_ORDER,
    # an LEI of another company must not link this party's cases to that company's
    disowns=frozenset({"D §4 fail closed, LEI of another"}),
    due=triage.OTHER_DUE,
    paces=(
        DueTimes(
            "A sanctioned party may be meant",
            SANCTIONS,
            triage.SANCTIONS_DUE,
            never=triage.SANCTIONS_NEVER,
        ),
        DueTimes("A politically exposed person may be meant", PEP, triage.PEP_DUE),
        DueTimes("A country", COUNTRY | EMBARGO, triage.COUNTRY_DUE),
        DueTimes("Ownership", OWNER, triage.OWNERSHIP_DUE),
    ),
    risks=triage.WORDS,
    seconds=SECOND_OFFICER_RULES,
    # both are about the listed party, so they may apply to all cases that match it
    bulk=BulkClearRule(reasons=("DIFFERENT_PARTY", "NAME_ONLY")),
    true_matches=("LISTED_PARTY", "LISTED_OWNER"),
    reported=EMBARGO,
    concerns_ofac=concerns_ofac,
    lists=sanctions_lists,
    picture=build_evidence_view,
    listed=label_listed_parties,
    entries=load_entries,
    successors=find_successors,
    answer=describe_client_answer,
    sentence=format_for_officers,
    rules={rule.ref: RuleLabel(rule.title, rule.decision is None) for rule in RULES},
)
