"""The country behind a company's legal form, where it is the payee's own: an address. Pure."""

import re

from apps.reference.names.payee.name_parser import MOST_CHARACTERS, parse_payee_name
from apps.reference.names.payee.normalization import APOSTROPHE
from apps.reference.names.scripts.text_cleaning import normalize_letters
from apps.reference.names.words.territories import territory_code

_WORD = re.compile(r"[^\W_]+")
_AROUND = " ,;:([/-–."
_BRITISH = frozenset({"england", "england and wales"})  # where most of its companies are registered


def strip_home_country(text: str, home: str) -> str:
    """Return a field without the country behind its legal form where that is `home`, or "".

    `home` is an ISO 3166-1 alpha-2 code. A country within the name (`Acme (UK) Ltd`) stays: that
    is another company's name.
    """
    behind = parse_payee_name(text).behind
    if not (home and behind) or _country_code_of(" ".join(behind)) != home:
        return ""
    plain = APOSTROPHE.sub("", normalize_letters(text[:MOST_CHARACTERS]))
    words = list(_WORD.finditer(plain))
    # as it is written: the rest is read again, and capitals and signs matter there
    return plain[: words[-len(behind)].start()].rstrip(_AROUND) if len(words) > len(behind) else ""


def _country_code_of(words: str) -> str:
    """Return the code of a country by its name; "" for a region or an unknown name."""
    if words in _BRITISH:
        return "GB"
    return territory_code(words)
