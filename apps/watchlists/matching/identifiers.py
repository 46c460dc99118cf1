"""Exact identifiers: the form in which two of a kind compare, and the key they are filed under."""

from apps.watchlists.matching.store import text_key
from apps.watchlists.values import Identifier


def normal_identifier(*, kind: str, value: str) -> str:
    """Return `value` without separators and in one case; wallets keep theirs unless hexadecimal."""
    bare = "".join(letter for letter in value if letter.isalnum())
    if kind == "wallet":
        return bare.lower() if bare[:2].lower() == "0x" else bare
    if kind == "imo":
        return "".join(letter for letter in bare if letter.isdigit())
    if kind == "bic":
        return bare.upper()[:11].removesuffix("XXX")
    return bare.upper()


def identifier_key(identifier: Identifier) -> int:
    """Return the key under which an identifier is filed."""
    normal = normal_identifier(kind=identifier.kind, value=identifier.value)
    return text_key(f"{identifier.kind}:{normal}")
