"""How a token sounds: its spelling folded, its consonants, and its skeleton without vowels."""

import re
from functools import lru_cache

ABJAD = "~"
"""Prefix of tokens that come from a script written without vowels (Arabic, Hebrew and kin)."""

_FOLDS = {
    "tsch": "c", "dsch": "j", "dzh": "j", "tch": "c", "sch": "s", "kh": "h", "gh": "g", "ph": "f",
    "th": "t", "dh": "d", "sh": "s", "zh": "j", "dj": "j", "ch": "c", "ck": "k", "cz": "c",
    "ts": "c", "tz": "c", "ou": "u", "oo": "u", "oe": "u", "ee": "i", "ea": "i", "ie": "i",
    "ei": "i", "iy": "i", "yi": "i", "ij": "i", "ay": "ai", "ey": "i", "q": "k", "w": "v",
    "y": "i", "x": "ks", "z": "z",
}  # fmt: skip
_FOLD = re.compile("|".join(sorted(_FOLDS, key=len, reverse=True)))
_DOUBLED = re.compile(r"(.)\1+")
_SKELETON = str.maketrans(
    {"q": "k", "c": "k", "p": "b", "v": "f", "j": "g", "z": "d", "x": "k"}
    | dict.fromkeys("aeiouwyh", "")
)
_VOWELS, _SILENT = frozenset("aeiou"), frozenset("aeiouh")
_VOWELLESS = str.maketrans({"q": "k", "p": "b", "v": "w", "z": "d"} | dict.fromkeys("aeiou", ""))
_DIGRAPHS = re.compile("kh|gh|sh|th|dh|ch")
_DIGRAPH_LETTERS = {"kh": "x", "gh": "g", "sh": "s", "th": "s", "dh": "d", "ch": "s"}
_ARTICLE = re.compile(r"^[ae]l(?=[^aeiou]|[aeiou][^aeiou])")


@lru_cache(maxsize=32_768)
def fold_sounds(token: str) -> str:
    """Return `token` with the usual variants of transliteration made one spelling, vowels kept."""
    if not token.isalpha():
        return token
    spelt = _FOLD.sub(lambda found: _FOLDS[found.group()], token)
    spelt = _DOUBLED.sub(r"\1", spelt)
    # a final h behind a vowel is not heard (`Fatimah`, `Fatima`)
    if len(spelt) > 3 and spelt.endswith("h") and spelt[-2] in "aeiou":
        spelt = spelt[:-1]
    return spelt


def extract_consonants(fold: str) -> str:
    """Return the consonants of a folded token, one vowel sign kept where it begins with a vowel."""
    if not fold or not fold.isalpha():
        return fold
    first = "a" if fold[0] in _VOWELS else fold[0]
    return first + "".join(letter for letter in fold[1:] if letter not in _SILENT)


def compute_sound_key(fold: str) -> str:
    """Return the key under which a folded token is filed by sound; empty when too short to say."""
    key = _DOUBLED.sub(r"\1", extract_consonants(fold))
    return key if len(fold) >= 3 and len(key) >= 2 else ""


def consonant_skeleton(token: str) -> str:
    """Return the consonants that a script without vowels would show of this Latin token."""
    return compute_skeletons(token)[0]


def bare_consonants(token: str) -> str:
    """Return the consonants that are never vowel signs; may be a single letter or none."""
    return compute_skeletons(token)[1]


@lru_cache(maxsize=32_768)
def compute_skeletons(token: str) -> tuple[str, str]:
    """Return skeleton and bare bones."""
    bare = _DOUBLED.sub(r"\1", token.lstrip(ABJAD))
    bare = _ARTICLE.sub("", bare) if len(bare) > 4 else bare
    spelt = _DIGRAPHS.sub(lambda found: _DIGRAPH_LETTERS[found.group()], bare)
    bones = spelt.translate(_SKELETON)
    # of a single consonant too many names would be alike: then y, w and h count as letters
    return bones if len(bones) > 1 else bare.translate(_VOWELLESS), bones
