"""By what cases are found, and evidence as it is kept."""

import unicodedata
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.platform.crypto.canonical import canonical_digest

LONGEST_REFS = 800
LONGEST_KEY = 200


def join_rule_refs(refs: Iterable[str]) -> str:
    """Return references as the queue keeps them: `|ref|ref|`; what an index cannot hold goes."""
    kept = ""
    for ref in refs:
        if len(kept) + len(ref) < LONGEST_REFS:
            kept += f"|{ref}"
    return f"{kept}|" if kept else ""


def build_entity_key(listed: Iterable[str]) -> str:
    """Return listed parties (`list:id` each) as one key `list:id list:id`, or an empty text.

    Cases with the same key are about the same listed parties. A very long one is its digest.
    """
    found = sorted(set(listed))
    key = " ".join(found)
    return key if len(key) <= LONGEST_KEY else canonical_digest({"entities": found})


def has_shared_listed_party(one: str, other: str) -> bool:
    """Tell whether two of these keys name a listed party in common."""
    shared = set(one.split()) & set(other.split())
    return any(":" in part for part in shared) or one == other != ""


def build_party_key(name: str) -> str:
    """Return a name as it is searched: folded, without marks, its words in order of letters."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    kept = "".join(
        # vowel signs of Indic and Thai script are marks (M) without a combining class
        character if unicodedata.category(character)[0] in "LNM" else " "
        for character in decomposed
        if not unicodedata.combining(character)
    )
    return " ".join(sorted(kept.split()))


def freeze_evidence(value: Any) -> Any:
    """Return evidence as plain JSON without floats, so that its digest is the same everywhere.

    Floats (scores) become texts of at most four decimals, Decimals and dates texts.
    """
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, float):
        text = f"{value:.4f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): freeze_evidence(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [freeze_evidence(inner) for inner in value]
    raise TypeError(f"{type(value).__name__} cannot be evidence")
