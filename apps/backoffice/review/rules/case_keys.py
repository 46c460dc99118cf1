"""Keys by which cases are found and grouped."""

import unicodedata
from collections.abc import Iterable

from apps.platform.crypto.canonical import canonical_digest

LONGEST_REFS = 800  # characters, because the index `case_queue` covers the column
LONGEST_KEY = 200  # characters of the column `entity_key`


def join_rule_refs(refs: Iterable[str]) -> str:
    """Return references as the queue keeps them, `|ref|ref|`; those beyond LONGEST_REFS are cut."""
    joined = ""
    for ref in refs:
        if len(joined) + len(ref) < LONGEST_REFS:
            joined += f"|{ref}"
    return f"{joined}|" if joined else ""


def build_entity_key(listed: Iterable[str]) -> str:
    """Return listed parties (`list:id` each) as one key `list:id list:id`, or an empty text.

    Cases with the same key are about the same listed parties. A very long one is its digest.
    """
    sorted_keys = sorted(set(listed))
    key = " ".join(sorted_keys)
    return key if len(key) <= LONGEST_KEY else canonical_digest({"entities": sorted_keys})


def has_shared_listed_party(first_key: str, other: str) -> bool:
    """Tell whether two of these keys name a listed party in common."""
    shared = set(first_key.split()) & set(other.split())
    # the digest of a long key names no single party: two of these are compared as a whole
    return any(":" in part for part in shared) or first_key == other != ""


def build_party_key(name: str) -> str:
    """Return a name as it is searched: folded, without accents, its words sorted."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    kept_characters = "".join(
        # vowel signs of Indic and Thai script are marks (M) without a combining class
        character if unicodedata.category(character)[0] in "LNM" else " "
        for character in decomposed
        if not unicodedata.combining(character)
    )
    return " ".join(sorted(kept_characters.split()))
