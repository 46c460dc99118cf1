"""The case of a message whose parties resemble listed ones, or could not be screened.

It asks who the parties are, as the case of a screen does, and holds nothing: docs/travel-rule.md.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from apps.backoffice.review.case_types import (
    OTHER,
    CaseType,
    ListedParty,
    ListEntry,
    OutcomeLabels,
    Reason,
    RuleLabel,
)
from apps.backoffice.review.models import Case
from apps.compliance.screening.case_types.screens import SCREEN, SECOND_OFFICER_RULES, concerns_ofac
from apps.compliance.screening.combined.party_evidence_views import (
    build_party_views,
    find_screen_lists,
    list_own_listed_parties,
    merge_evidence_views,
)
from apps.compliance.screening.rules.findings import RULES as SCREEN_RULES
from apps.payments.travelrule.case_types import build_record_rows
from apps.payments.travelrule.rules.screening_limits import (
    NOT_SCREENED,
    SCREENED_IN_PART,
    SCREENING_RULES,
    TOO_MANY,
)
from apps.payments.travelrule.screening.cases import KIND
from apps.payments.travelrule.screening.subjects import SIDE_LABELS
from apps.payments.travelrule.screening.tasks import plan_screening_again
from apps.reference.watchlists.selectors.list_entries import find_successors, load_entries

EvidenceRow = dict[str, Any]
SCREEN_AGAIN_REASON = "SCREEN_AGAIN"
LISTED, OWNED = frozenset({"1 §2.7 rule 3 match"}), frozenset({"1 §2.7 rule 5"})
COUNTRY = frozenset({"1 §2.7 rule 1 blacklist"})
BLOCKS = frozenset(rule.ref for rule in SCREEN_RULES if rule.decision == "BLOCKED")
UNCHECKED = frozenset({NOT_SCREENED.ref, SCREENED_IN_PART.ref, TOO_MANY.ref})
# Further rules that the reasons of a screen's case answer here. There a block is final and has no
# case; here nothing was refused, so that an officer also decides about parties that would block.
EXTRA_RULES = {
    "DIFFERENT_PARTY": LISTED,
    "NAME_ONLY": LISTED,
    "LISTED_PARTY": LISTED,
    "OWNERSHIP_CLEAR": OWNED,
    "LISTED_OWNER": OWNED,
    "COUNTRY_EDD": COUNTRY,
    "COUNTRY_DECLINED": COUNTRY,
    "CHECK_COMPLETED": UNCHECKED,
    "NOT_IDENTIFIED": UNCHECKED,
}


def apply_travel_party_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Have parties screened again if an officer decides so; part of the deciding transaction.

    Any other decision has no effect on the transfer: it is the counterparty's, and nothing waits.
    """
    case = Case.objects.filter(kind=KIND, ref=ref).first()
    if case is not None and outcome == "APPROVE" and case.reason_code == SCREEN_AGAIN_REASON:
        plan_screening_again(case, now=now)


def build_travel_party_view(evidence: EvidenceRow) -> EvidenceRow:
    """Return the parts that the case page draws (apps/backoffice/review/views/evidence.py)."""
    screens, own = evidence.get("screens", ()), evidence.get("own", "")
    evidence_views = merge_evidence_views(build_party_views(screens, own=own, words=SIDE_LABELS))
    for row in evidence_views["matches"]:
        # the party is one of the counterparty's message, and not a client's
        if not row.get("whose") and not row.get("of"):
            row["whose"] = f"{SIDE_LABELS[own]} {screens[0]['request']['name']}"
    request = {"payment": [], "party": evidence.get("party", []), "missing": ""}
    return evidence_views | {
        "request": request,
        "facts": [*evidence.get("leftOut", ()), *evidence_views["facts"]],
        "record": [*build_record_rows(evidence), *evidence_views["record"]],
    }


def find_listed_parties(evidence: EvidenceRow) -> list[ListedParty]:
    """Return only the listed parties that the party of the case matches."""
    return list_own_listed_parties(evidence.get("screens", ()), own=evidence.get("own", ""))


def load_listed_entries(
    keys: Collection[str], *, seen: Mapping[str, Any] | None = None
) -> Mapping[str, ListEntry]:
    """Return listed entries, as the lists were for a case: all screens had the same."""
    screens: Iterable[Mapping[str, Any]] = () if seen is None else seen.get("screens", ())
    return load_entries(
        keys, seen=None if seen is None else next((dict(screen) for screen in screens), {})
    )


def _extend_screen_reasons(outcome: str, *ours: Reason) -> tuple[Reason, ...]:
    """Return the reasons of a screen's case and ours; the one that always fits comes last."""
    theirs = [
        replace(reason, rules=reason.rules | EXTRA_RULES.get(reason.code, frozenset()))
        for reason in SCREEN.reasons[outcome]
        if reason.code != OTHER
    ]
    other = next(reason for reason in SCREEN.reasons[outcome] if reason.code == OTHER)
    return (*theirs, *ours, other)


TRAVEL_PARTY = CaseType(
    title="Party of a travel-rule message",
    reasons={
        "APPROVE": _extend_screen_reasons(
            "APPROVE",
            Reason(
                SCREEN_AGAIN_REASON,
                "The cause is corrected: it is screened again",
                "FATF R.16",
                frozenset({NOT_SCREENED.ref}),
                repairs=True,
            ),
        ),
        "REJECT": _extend_screen_reasons("REJECT"),
    },
    gravity=(BLOCKS, *SCREEN.gravity, UNCHECKED),
    disowns=SCREEN.disowns,
    due=SCREEN.due,
    paces=SCREEN.paces,
    risks=(
        *SCREEN.risks,
        "A party that a screen blocks is HIGH, and so are parties left out of a screen and the "
        "case of all further messages of a day; otherwise at least MEDIUM.",
    ),
    seconds=tuple(
        replace(second_officer_rule, ref=f"TRAVEL-{second_officer_rule.ref}")
        for second_officer_rule in SECOND_OFFICER_RULES
    ),
    words={
        "APPROVE": OutcomeLabels("Clear", "Cleared"),
        "REJECT": OutcomeLabels("Reject", "Rejected"),
    },
    bulk=SCREEN.bulk,
    true_matches=SCREEN.true_matches,
    reported=SCREEN.reported,
    concerns_ofac=concerns_ofac,
    lists=find_screen_lists,
    listed=find_listed_parties,
    entries=load_listed_entries,
    successors=find_successors,
    sentence=SCREEN.sentence,
    picture=build_travel_party_view,
    decided=apply_travel_party_decision,
    rules={
        **SCREEN.rules,
        **{
            screening_rule.ref: RuleLabel(screening_rule.says.rstrip("."))
            for screening_rule in SCREENING_RULES
        },
    },
)
