"""Reads what a field says of a ship: `MV NAME`, `tanker NAME`."""

import re

# motor vessel, motor tanker, steamship, fishing vessel, sailing yacht, tug and so on, and the
# words for a ship in the languages of payments
_PREFIX = re.compile(
    r"^\W*(?:m\W?\s?[vty]|s\W?s|f\W?v|s\W?y|m\W?s|lpg\W?c|lng\W?c|vlcc|tug|motor vessel"
    r"|motor tanker|motor yacht|vessel|ship|oil tanker|tanker|bulk carrier|yacht|navire|pétrolier"
    r"|buque|motonave|buque tanque|navio|nave|petroliera|schiff|motorschiff|tanker|schip|gemi"
    r"|gemisi|kapal|судно|т/х|теплоход|танкер|м/в|سفينة|ناقلة|کشتی|نفتکش|船|油轮)(?:\s+name)?\s*[:.]?\s+(?=\w)",
    re.IGNORECASE,
)
PREFIX_WORDS = frozenset(re.findall("[a-z]{2,}", _PREFIX.pattern)) | {"mv", "mt", "ss"}


def vessel_name(text: str) -> str:
    """Return the name behind a ship's prefix, empty where there is none."""
    found = _PREFIX.match(text)
    return text[found.end() :].strip() if found else ""
