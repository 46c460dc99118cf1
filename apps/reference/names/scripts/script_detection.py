"""Detect the scripts of a word, and put a word of mixed letters into one. Pure."""

import unicodedata
from functools import lru_cache

from apps.reference.names.scripts.lookalikes import TO_CYRILLIC, TO_LATIN, replace_lookalikes

ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "LISU", "COPTIC"})
_ORDINALS = frozenset({"FEMININE", "MASCULINE"})  # ª and º


def scripts_of(word: str) -> frozenset[str]:
    """Return the alphabets of a word; scripts that mix by custom (Han, kana) do not count."""
    return (
        frozenset(map(_script_of_letter, word)) & ALPHABETS
        if not word.isascii()
        else _script_of_ascii(word)
    )


def are_read_in_latin(one: str, other: str) -> bool:
    """Return whether two texts can only be compared as at least one may be read in Latin letters.

    Alphabets with capital letters (Cyrillic, Greek) have one reading, which lists use themselves.
    """
    if one.isascii() and other.isascii():
        return False
    return _uncased_scripts_of(one) != _uncased_scripts_of(other)


def _uncased_scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of a text that know no capital letters, by their Unicode names."""
    return (
        frozenset(_script_of_letter(one) for one in text if unicodedata.category(one) == "Lo")
        - _ORDINALS
    )


def _script_of_ascii(word: str) -> frozenset[str]:
    return frozenset({"LATIN"}) if any(letter.isalpha() for letter in word) else frozenset()


@lru_cache(maxsize=4096)
def _script_of_letter(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def unify_script(word: str, scripts: frozenset[str]) -> str:
    """Return a mixed word in one script: Latin, unless its Latin letters are the strangers."""
    strangers = [letter for letter in word if _script_of_letter(letter) in ALPHABETS - {"LATIN"}]
    latin = [letter for letter in word if _script_of_letter(letter) == "LATIN"]
    if any(stranger not in TO_LATIN for stranger in strangers) and all(
        one in TO_CYRILLIC for one in latin
    ):
        # a letter without a Latin look-alike shows that the word is Cyrillic
        return "".join(TO_CYRILLIC.get(letter, letter) for letter in word)
    return replace_lookalikes(word)
