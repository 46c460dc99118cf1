"""What the case page draws of a payment that is HELD: the AML picture and the flagged screens."""

from typing import Any

from apps.aml.picture import picture as drawn_aml
from apps.screening.combined.picture import picture as drawn_screen
from apps.screening.combined.picture import sanctions_lists

Row = dict[str, Any]
LISTED = ("facts", "matches", "chain", "lists", "record")


def picture(evidence: Row) -> Row:
    """Return the parts that the case page draws (apps/review/pages/evidence.py)."""
    drawn = [drawn_screen(one) for one in evidence.get("screens", ())]
    if "aml" in evidence:
        drawn.insert(0, drawn_aml(evidence["aml"]))
    found: Row = {part: [row for one in drawn for row in one.get(part, ())] for part in LISTED}
    found["lists"] = list({str(row): row for row in found["lists"]}.values())
    found["request"] = drawn[0]["request"] if drawn else {}
    networks = [one["network"] for one in drawn if one.get("network")]
    return found | ({"network": networks[0]} if networks else {})


def lists(evidence: Row) -> set[str]:
    """Return the lists on which a party or an owner may be, of all flagged screens."""
    return {name for one in evidence.get("screens", ()) for name in sanctions_lists(one)}
