"""What the case page draws of a payment that is HELD: the AML picture and the flagged screens.

The party of the case is the creditor; what is of another party says whose it is.
"""

from collections.abc import Collection, Mapping
from typing import Any

from apps.aml.picture import picture as drawn_aml
from apps.payments.requested import SIDES
from apps.review.kinds import Listed
from apps.screening.combined import known
from apps.screening.combined.picture import picture as drawn_screen
from apps.screening.combined.picture import sanctions_lists

Row = dict[str, Any]
LISTED = ("facts", "matches", "chain", "lists", "record")


def picture(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/review/pages/evidence.py)."""
    drawn = [_drawn(one) for one in evidence.get("screens", ())]
    if "aml" in evidence:
        drawn.insert(0, drawn_aml(evidence["aml"]))
    found: Row = {part: [row for one in drawn for row in one.get(part, ())] for part in LISTED}
    for part in ("lists", "record"):  # of several checks each is told once
        found[part] = list({str(row): row for row in found[part]}.values())
    found["request"] = {
        "payment": evidence["payment"],
        "party": evidence["party"],
        "missing": "",
    }
    networks = [one["network"] for one in drawn if one.get("network")]
    return found | ({"network": networks[0]} if networks else {})


def _drawn(screen: Row) -> Row:
    """Return the picture of a party's screen; what is not of the creditor says of whom it is."""
    found = drawn_screen(screen)
    if screen["side"] == "creditor":
        return found
    side, name = SIDES[screen["side"]], screen["request"]["name"]
    return found | {
        # the countries of the payment are judged with its creditor
        "facts": [row | {"label": f"{side}: {row['label']}"}
                  for row in found["facts"] if not row["label"].endswith(" country is")],
        "matches": [_of(f"{side} {name}", row) for row in found["matches"]],
        "chain": [row | {"role": f"{side}, {row['role'].lower()}"} for row in found["chain"]],
    }  # fmt: skip


def _of(whose: str, row: Row) -> Row:
    """Return a match that is not of the creditor, with whose it is in words."""
    owner = row.get("of")
    said = f"{owner} of the {whose[:1].lower()}{whose[1:]}, by the LEI records" if owner else whose
    return row | {"of": owner or whose, "whose": said}


def lists(evidence: Row) -> set[str]:
    """Return the lists on which a party or an owner may be, of all flagged screens."""
    return {name for one in evidence.get("screens", ()) for name in sanctions_lists(one)}


def listed(evidence: Row) -> list[Listed]:
    """Return the listed parties that the creditor matches: the case is of no other party."""
    return known.listed_labels(_creditors(evidence))


def entries(keys: Collection[str], *, seen: Mapping[str, Any] | None = None) -> Mapping[str, str]:
    """Return digests of listed entries (apps/review/kinds.py, Entries)."""
    return known.entries(keys, seen=None if seen is None else _creditors(seen))


def _creditors(evidence: Mapping[str, Any]) -> Row:
    screens = evidence.get("screens", ())
    return next((dict(one) for one in screens if one.get("side") == "creditor"), {})
