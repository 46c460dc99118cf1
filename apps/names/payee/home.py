"""The country behind a company's legal form, where it is the payee's own: an address. Pure."""

import re

from rigour.territories import lookup_territory

from apps.names.payee.folding import APOSTROPHE
from apps.names.payee.reading import MOST_CHARACTERS, name_of
from apps.names.scripts.letters import plain_letters

_WORD = re.compile(r"[^\W_]+")
_AROUND = " ,;:([/-–."
_BRITISH = frozenset({"england", "england and wales"})  # where most of its companies are registered


def without_country(text: str, home: str) -> str:
    """Return a field without the country behind its legal form where that is `home`, or "".

    `home` is an ISO 3166-1 alpha-2 code. A country within the name (`Acme (UK) Ltd`) stays: that
    is another company's name.
    """
    behind = name_of(text).behind
    if not (home and behind) or _code(" ".join(behind)) != home:
        return ""
    plain = APOSTROPHE.sub("", plain_letters(text[:MOST_CHARACTERS]))
    words = list(_WORD.finditer(plain))
    return plain[: words[-len(behind)].start()].rstrip(_AROUND) if len(words) > len(behind) else ""


def _code(words: str) -> str:
    """Return the code of a country by its name, "" for what is none or a region."""
    if words in _BRITISH:
        return "GB"
    found = lookup_territory(words)
    return found.code.upper() if found is not None else ""
