"""Detect words that imitate others: mixed alphabets in a word, digits for letters. Pure.

Such a name never counts as the one that it looks like: no keyboard writes it.
"""

import re

from apps.reference.names.payee.legal_forms import is_native_form
from apps.reference.names.payee.values import NameWord
from apps.reference.names.scripts.lookalikes import TO_LATIN
from apps.reference.names.scripts.script_detection import scripts_of

_WORD = re.compile(r"[^\W_]+")
_BETWEEN = re.compile(r"^(?=\D*\d)(?=.*[^\W\d_])[^\W\d_]+[\w]*$|^\d[^\W\d_]{2,}$")
_DIGITS = str.maketrans("0134578", "oieastb")
_OWN = frozenset("ıß")  # letters of languages, though they look like others
_LEAST = 4
_CAPITAL_I = re.compile("(?<=[a-z])I")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|er|e)")


def find_disguised_words(text: str) -> tuple[str, ...]:
    """Return the words of a plain text that hold letters of two alphabets, or look like Latin ones.

    A word wholly in look-alikes counts where another word is in Latin letters.
    """
    if text.isascii():
        return ()
    words = _WORD.findall(text)
    latin = any(word.isascii() and word.isalpha() for word in words)
    return tuple(
        word
        for word in words
        if not word.isascii()
        and _is_disguised_word(word, beside=latin)
        and not is_native_form(word)
    )


def undisguise_word(word: NameWord) -> str:
    """Return what a word in Latin letters looks like, empty where that is what it says.

    Digits among letters look like letters (`G00gle`), a capital I in small ones like an l.
    """
    if len(word.plain) < _LEAST or _ORDINAL.fullmatch(word.plain):
        return ""
    if _CAPITAL_I.search(word.written):
        return word.written.replace("I", "l").lower()
    return word.plain.translate(_DIGITS) if _BETWEEN.match(word.plain) else ""


def _is_disguised_word(word: str, *, beside: bool) -> bool:
    scripts = scripts_of(word)
    if len(scripts) > 1:
        return True
    letters = [letter for letter in word if letter.isalpha()]
    strange = [letter for letter in letters if letter in TO_LATIN and letter not in _OWN]
    if "LATIN" in scripts:
        return bool(strange)
    # a word entirely in another alphabet is in that language, unless Latin words surround it
    return beside and len(strange) == len(letters) and bool(scripts)
