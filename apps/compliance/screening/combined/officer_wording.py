"""Word a screen's sentences for officers: countries and lists by name instead of by code.

The API's sentences stay as they were answered and recorded; pages reword them. Pure.
"""

import re
from typing import Final

from apps.platform.common.country_names import country_name
from apps.reference.watchlists.presenters.matches import TITLES

STANDINGS: Final = {
    "CALL_FOR_ACTION": "FATF call for action",
    "INCREASED_MONITORING": "FATF increased monitoring",
    "EU_HIGH_RISK": "EU high-risk third country",
    "EMBARGO": "embargo",
}
ROLES: Final = {
    "SUBJECT": "the party",
    "DIRECT_PARENT": "its direct parent",
    "INTERMEDIATE": "an intermediate owner",
    "ULTIMATE_PARENT": "its ultimate parent",
}
# a country code only follows one of these words: two capitals elsewhere may be a legal form
_COUNTRY = re.compile(
    r"\b(country|jurisdiction|legal address in|headquarters in) ([A-Z]{2})(?=[,;:.]|$)"
)
_STANDING = re.compile(rf": ({'|'.join(STANDINGS)})(?=[,;.]|$)")
_ROLE = re.compile(rf"(?<=[:;] )({'|'.join(ROLES)})(?= )")
MATCHES: Final = {
    "Partial sanctions match": "Possible sanctions match",
    "Sanctions match": "Sanctions match",
}
_MATCH = re.compile(rf"({'|'.join(MATCHES)}) at (\d+)%: ")
# short names are of words and hyphens: whole, never as a part of a longer one
_SLUGS = "|".join(re.escape(slug) for slug in sorted(TITLES, key=len, reverse=True))
_LIST = re.compile(rf"(?:(?<=\()|(?<=[Tt]he )list )({_SLUGS})(?![\w-])")


def format_for_officers(sentence: str) -> str:
    """Return a sentence of a screen as officers read it."""
    text = _MATCH.sub(lambda m: f"{MATCHES[m[1]]}, {m[2]} %: ", sentence)
    text = _COUNTRY.sub(lambda m: f"{m[1]} {country_name(m[2])}", text)
    text = _STANDING.sub(lambda m: f": {STANDINGS[m[1]]}", text)
    text = _ROLE.sub(lambda m: ROLES[m[1]], text)
    return _LIST.sub(lambda m: TITLES[m[1]], text)
