"""Arabic names made of two words of which one is shared by many: `Abd al-…`, `…-ud-Din`, `…-ullah`.

What tells two such people apart is the other word; and records leave the shared one out.
"""

import re
from functools import lru_cache

from apps.reference.names.scripts.phonetics import ABJAD

_PREFIX = re.compile(r"^(abdul|abdal|abdel)(?=\w{3})")
_SUFFIX = re.compile(r"(?<=\w{3})([ueoi]ddin|[ueoi]ddeen|[uoia]?llah|[uoie]rr[ae]h?man)$")
_WHOLE = re.compile(r"^[ck]?abd[uaeio]ll?[ae]h?i?$")
_KINDS = {"l": "ullah", "d": "uddin", "r": "urrahman"}


@lru_cache(maxsize=16384)
def split_arabic_compound(text: str) -> tuple[str, str]:
    """Return the shared word of a compound and the one that tells, both empty where it is none."""
    # `Abdullah` has no second word that would tell two people apart
    if text[:1] == ABJAD or _WHOLE.match(text):
        return "", ""
    if found := _PREFIX.match(text):
        return "abdul", text[found.end() :]
    if found := _SUFFIX.search(text):
        letter = found.group(1).lstrip("ueoia")[:1]
        return _KINDS[letter], text[: found.start()]
    return "", ""
