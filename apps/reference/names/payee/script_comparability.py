"""Detect names in scripts that cannot be compared with each other. Pure.

Alphabets are transliterated to Latin, and people's names in Chinese, Japanese and Korean letters
are read. Company names in those are usually translations; the vowels of Thai and Indic letters are
unknown.
"""

import re

from apps.reference.names.payee.pair_facts import build_pair_facts
from apps.reference.names.payee.values import PayeeName

_VOWELLESS = re.compile("[\u0900-\u0fff\u1000-\u109f\u1780-\u17ff]")
_DENSE = {
    "HAN": re.compile("[\u3400-\u9fff]"),
    "KANA": re.compile("[\u3040-\u30ff]"),
    "HANGUL": re.compile("[\uac00-\ud7af]"),
}


def are_uncomparable(submitted: PayeeName, registered: PayeeName) -> bool:
    """Return whether two names have no script in common and none of their words can be compared.

    Both hold words, and none that looks like what it is not.
    """
    if not (submitted.words and registered.words) or submitted.disguised or registered.disguised:
        return False
    if not (submitted.foreign or registered.foreign):
        return False
    one, other = _opaque_scripts_of(submitted.text), _opaque_scripts_of(registered.text)
    if one & other or not one | other:
        return False
    if "VOWELLESS" in one | other:
        return True
    facts = build_pair_facts(submitted, registered)
    return not facts.hows and (facts.company or bool(one and other))


def _opaque_scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of a text that are not simply put into Latin letters."""
    names = {name for name, letters in _DENSE.items() if letters.search(text)}
    if _VOWELLESS.search(text):
        names.add("VOWELLESS")
    return frozenset(names)
