"""What a screen's evidence says of the listed parties that it matches, so that one can be known.

Owners are left out: that an owner is not a listed party says nothing of whom was screened.
"""

from collections.abc import Collection, Mapping
from typing import Any

from apps.review.kinds import Listed
from apps.watchlists.drawn.match import TITLES
from apps.watchlists.entries import digests


def listed_labels(evidence: Mapping[str, Any]) -> list[Listed]:
    """Return the listed parties that a party itself matches, each once and with its list."""
    found: dict[str, str] = {}
    for row in (*evidence.get("sanctions", ()), *evidence.get("pep", ())):
        name = row["entity"]["primary"]
        title = TITLES.get(row["dataset"], row["dataset"])
        found.setdefault(f"{row['dataset']}:{row['entityId']}", f"{name} ({title})")
    return [Listed(key, label) for key, label in found.items()]


def entries(keys: Collection[str], *, seen: Mapping[str, Any] | None = None) -> Mapping[str, str]:
    """Return digests of listed entries (apps/review/kinds.py, Entries).

    With evidence: of the versions that it was made against; evidence that names none has none.
    """
    versions = None if seen is None else seen.get("versions", {}).get("lists", {})
    refs = {_ref(key): key for key in keys}
    return {refs[ref]: digest for ref, digest in digests(refs, versions=versions).items()}


def _ref(key: str) -> str:
    """Return under which key the lists have a party: matches name its list with its id again."""
    slug, _, entity = key.partition(":")
    return entity if entity.startswith(f"{slug}:") else key
