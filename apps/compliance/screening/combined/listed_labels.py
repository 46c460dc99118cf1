"""Label the listed parties that evidence matches, so that officers can name one of them.

Owners are left out: that an owner is not listed means nothing for the screened party.
"""

from collections.abc import Mapping
from typing import Any

from apps.backoffice.review.case_types import ListedParty
from apps.reference.watchlists.presenters.matches import TITLES


def list_matched_rows(evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of all listed parties in the evidence of a case of any kind.

    Rows without a list are of another shape than ours, and left out.
    """
    rows = (*(evidence.get("sanctions") or ()), *(evidence.get("pep") or ()))
    return [row for row in rows if "dataset" in row]


def label_listed_parties(evidence: Mapping[str, Any]) -> list[ListedParty]:
    """Return the listed parties that a party itself matches, each once and with its list."""
    labels: dict[str, str] = {}
    for row in list_matched_rows(evidence):
        name = row["entity"]["primary"]
        title = TITLES.get(row["dataset"], row["dataset"])
        labels.setdefault(f"{row['dataset']}:{row['entityId']}", f"{name} ({title})")
    return [ListedParty(key, label) for key, label in labels.items()]


def listed_parties(evidence: Mapping[str, Any]) -> set[str]:
    """Return the listed parties of the evidence of a case of any kind, as `list:id`."""
    return {f"{row['dataset']}:{row['entityId']}" for row in list_matched_rows(evidence)}
