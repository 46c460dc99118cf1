"""The case page's view of a HELD payment: the AML picture and the flagged screens.

The party of the case is the creditor; data of another party says whose it is.
"""

from collections.abc import Collection, Mapping
from typing import Any

from apps.backoffice.review.case_types import ListedParty, ListEntry
from apps.compliance.aml.evidence_view import build_evidence_view
from apps.compliance.screening.combined.party_evidence_views import (
    build_party_views,
    find_own_screen,
    list_own_listed_parties,
    merge_evidence_views,
)
from apps.payments.payments.case_rows import SIDE_LABELS
from apps.reference.watchlists.selectors.list_entries import load_entries

Row = dict[str, Any]
CASE_SIDE = "creditor"


def present_evidence(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/backoffice/review/views/evidence.py)."""
    party_views = build_party_views(evidence.get("screens", ()), own=CASE_SIDE, words=SIDE_LABELS)
    if "aml" in evidence:
        party_views.insert(0, build_evidence_view(evidence["aml"]))
    evidence_views = merge_evidence_views(party_views)
    evidence_views["request"] = {
        "payment": evidence["payment"],
        "party": evidence["party"],
        "missing": "",
    }
    networks = [party_view["network"] for party_view in party_views if party_view.get("network")]
    return evidence_views | ({"network": networks[0]} if networks else {})


def creditor_matches(evidence: Row) -> list[ListedParty]:
    """Return the listed parties that match the creditor: the case is about no other party."""
    return list_own_listed_parties(evidence.get("screens", ()), own=CASE_SIDE)


def load_listed_entries(
    keys: Collection[str], *, seen: Mapping[str, Any] | None = None
) -> Mapping[str, ListEntry]:
    """Return listed entries (apps/backoffice/review/case_types.py, Entries)."""
    creditor = None if seen is None else find_own_screen(seen.get("screens", ()), own=CASE_SIDE)
    return load_entries(keys, seen=creditor)
