"""Reads what a field says of a ship: `MV NAME`, `tanker NAME`."""

import re

# motor vessel, motor tanker, steamship, fishing vessel, sailing yacht, tug and so on, and the
# words for a ship in the languages of payments
_PREFIX = re.compile(
    r"^\W*(?:m\W?\s?[vty]|s\W?s|f\W?v|s\W?y|m\W?s|lpg\W?c|lng\W?c|vlcc|tug|motor vessel"
    r"|motor tanker|motor yacht|vessel|ship|oil tanker|tanker|bulk carrier|yacht|navire|pétrolier"
    r"|buque|motonave|buque tanque|navio|nave|petroliera|schiff|motorschiff|tanker|schip|gemi"
    r"|gemisi|kapal|судно|т/х|теплоход|танкер|м/в|سفينة|ناقلة|کشتی|نفتکش|船|油轮)(?:\s+name)?\s*[:.]?\s+['\"]?(?=\w)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"(?<=\s)(?:MV|MT|[Mm][/.]\s?[VvTt]\.?|(?i:vessel|tanker|motor vessel))\s*[:.]?\s+['\"]?(?=\w)"
)
_BEHIND = re.compile(
    r"['\"]?(?:\s+|,\s*)(?:flag(?:ged)?|voy(?:age)?|v\.?\s?\d+|imo|mmsi|call sign|dwt|grt"
    r"|built|b/?l|cargo|laden|loading|discharg\w+|флаг|рейс)\b.*$|['\"]$",
    re.IGNORECASE,
)
# the pattern itself is the table: `m\W?v` and the like have no two letters in a row
PREFIX_WORDS = frozenset(re.findall("[a-z]{2,}", _PREFIX.pattern)) | {"mv", "mt", "ss"}


def extract_vessel_name(text: str) -> str:
    """Return the name behind a ship's prefix, empty where there is none.

    Within a text (`freight MV NAME`) two letters count in capitals, or with a stroke or dot.
    """
    found = _PREFIX.match(text) or _WITHIN.search(text)
    return _BEHIND.sub("", text[found.end() :]).strip() if found else ""
