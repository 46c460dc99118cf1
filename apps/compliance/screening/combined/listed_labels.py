"""What a screen's evidence says of the listed parties that it matches, so that one can be known.

Owners are left out: that an owner is not a listed party says nothing of whom was screened.
"""

from collections.abc import Mapping
from typing import Any

from apps.backoffice.review.case_types import ListedParty
from apps.reference.watchlists.presenters.matches import TITLES


def label_listed_parties(evidence: Mapping[str, Any]) -> list[ListedParty]:
    """Return the listed parties that a party itself matches, each once and with its list."""
    found: dict[str, str] = {}
    for row in (*evidence.get("sanctions", ()), *evidence.get("pep", ())):
        name = row["entity"]["primary"]
        title = TITLES.get(row["dataset"], row["dataset"])
        found.setdefault(f"{row['dataset']}:{row['entityId']}", f"{name} ({title})")
    return [ListedParty(key, label) for key, label in found.items()]
