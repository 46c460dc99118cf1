"""The case page's view of several parties' screens, with the party of each match.

A payment, a settlement and a transfer by the bank carry the screens of their parties as evidence.
The party of the case is the first of its own side; data of any other is labelled.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.backoffice.review.case_types import ListedParty
from apps.compliance.screening.combined import listed_labels
from apps.compliance.screening.combined.evidence_view import build_evidence_view, sanctions_lists

Row = dict[str, Any]
PARTS = ("facts", "matches", "chain", "lists", "record")


def build_party_views(screens: Sequence[Row], *, own: str, words: Mapping[str, str]) -> list[Row]:
    """Return the picture of each screen; `own` is the side of the case's party."""
    first = find_own_screen(screens, own=own)
    name = first["request"]["name"] if first else ""
    return [_build_party_view(screen, (own, name), words) for screen in screens]


def merge_evidence_views(drawn: Sequence[Mapping[str, Any]]) -> Row:
    """Merge several views into one; repeated parts appear once."""
    evidence_views: Row = {
        part: [row for view in drawn for row in view.get(part, ())] for part in PARTS
    }
    for part in ("facts", "chain", "lists", "record"):
        evidence_views[part] = list({str(row): row for row in evidence_views[part]}.values())
    # a party that is screened once for each of its places has the same match in every view: only
    # the best is shown, in its original position
    matches = evidence_views["matches"]
    best: dict[tuple[str, str, str], Row] = {}
    for row in sorted(matches, key=lambda match: -int(match["score"])):
        best.setdefault((row["check"], row["key"], row.get("whose") or row.get("of", "")), row)
    evidence_views["matches"] = [
        row for row in matches if any(row is match for match in best.values())
    ]
    return evidence_views


def _build_party_view(screen: Row, own: tuple[str, str], words: Mapping[str, str]) -> Row:
    evidence_view = build_evidence_view(screen)
    name = screen["request"]["name"]
    if (screen["side"], name) == own:
        return evidence_view
    side = words[screen["side"]]
    whose = f"{side} {name}"
    if screen["side"] == own[0]:  # the side alone would not tell which of its parties it is
        side = whose
    return evidence_view | {
        # the countries of a payment are judged with the party of its case
        "facts": [
            row | {"label": f"{side}: {row['label']}"}
            for row in evidence_view["facts"]
            if not row["label"].endswith(" country is")
        ],
        "matches": [_attribute_match(whose, row) for row in evidence_view["matches"]],
        "chain": [
            row | {"role": f"{side}, {row['role'].lower()}"} for row in evidence_view["chain"]
        ],
    }


def _attribute_match(whose: str, row: Row) -> Row:
    """Return a match of another party than the case's, with that party in words."""
    owner = row.get("of")
    attribution = (
        f"{owner} of the {whose[:1].lower()}{whose[1:]}, by the LEI records" if owner else whose
    )
    return row | {"of": owner or whose, "whose": attribution}


def find_screen_lists(evidence: Row) -> set[str]:
    """Return the lists on which a party or an owner may be, of all screens of a case."""
    return {name for screen in evidence.get("screens", ()) for name in sanctions_lists(screen)}


def find_own_screen(screens: Sequence[Mapping[str, Any]], *, own: str) -> Row:
    """Return the screen of the case's own party; empty where that was not flagged."""
    return next((dict(screen) for screen in screens if screen.get("side") == own), {})


def list_own_listed_parties(screens: Sequence[Mapping[str, Any]], *, own: str) -> list[ListedParty]:
    """Return the listed parties that the case's own party matches, in whichever screen of it."""
    first = find_own_screen(screens, own=own)
    name = first.get("request", {}).get("name")
    of_it = [
        screen
        for screen in screens
        if screen.get("side") == own and screen["request"]["name"] == name
    ]
    listed_parties_by_key = {
        listed_party.key: listed_party
        for view in of_it
        for listed_party in listed_labels.label_listed_parties(view)
    }
    return list(listed_parties_by_key.values())
