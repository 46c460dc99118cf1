"""Names that are written without blanks (`AcmeFoodsLtd`), parted as the other name is. Pure."""

import re

from apps.reference.names.payee.legal_forms import is_legal_form_spelling
from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin
from apps.reference.names.payee.values import NameWord, PayeeName
from apps.reference.names.scripts.text_cleaning import normalize_letters

_LEAST = 8
"""Letters from which equal ones are no chance."""
_DIGITS = re.compile(r"\d+")


def insert_blanks(run: PayeeName, other: PayeeName) -> str:
    """Return a name of one word as the other one is written, empty where its letters differ.

    Behind them it may have a legal form, and that may be another one.
    """
    words = other.words
    if len(run.words) != 1 or len(words) + bool(other.legal) < 2 or other.ahead or run.disguised:
        return ""
    folded_words = "".join(word.plain for word in words), "".join(word.told for word in words)
    found = fold_words(transliterate_to_latin(normalize_letters(run.text), person=False))
    whole_text = "".join(one.plain for one in found), "".join(one.told for one in found)
    # in both foldings: umlauts without marks, and as two letters
    for letters, whole in zip(whole_text, folded_words, strict=True):
        rest = letters.removeprefix(whole)
        told = rest == "" or (rest != letters and is_legal_form_spelling(rest))
        if told and len(letters) >= _LEAST and _DIGITS.findall(letters) == _numbers_in_words(words):
            return " ".join([*(word.written for word in words), rest]).strip()
    return ""


def _numbers_in_words(words: tuple[NameWord, ...]) -> list[str]:
    return [one for word in words for one in _DIGITS.findall(word.plain)]
