"""Names that are written without blanks (`AcmeFoodsLtd`), parted as the other name is. Pure."""

import re

from apps.names.payee.folding import folded, in_latin
from apps.names.payee.legal_forms import is_spelling
from apps.names.payee.values import Name, Word
from apps.names.scripts.letters import plain_letters

_LEAST = 8
"""Letters from which equal ones are no chance."""
_DIGITS = re.compile(r"\d+")


def parted(run: Name, other: Name) -> str:
    """Return a name of one word as the other one is written, empty where its letters differ.

    Behind them it may have a legal form, and that may be another one.
    """
    words = other.words
    if len(run.words) != 1 or len(words) + bool(other.legal) < 2 or other.ahead or run.disguised:
        return ""
    for letters, whole in zip(_both(run.text), _wholes(words), strict=True):
        rest = letters.removeprefix(whole)
        told = rest == "" or (rest != letters and is_spelling(rest))
        if told and len(letters) >= _LEAST and _numbers(letters) == _numbers_of(words):
            return " ".join([*(word.written for word in words), rest]).strip()
    return ""


def _both(text: str) -> tuple[str, str]:
    found = folded(in_latin(plain_letters(text), person=False))
    return "".join(one.plain for one in found), "".join(one.told for one in found)


def _wholes(words: tuple[Word, ...]) -> tuple[str, str]:
    return "".join(one.plain for one in words), "".join(one.told for one in words)


def _numbers(letters: str) -> list[str]:
    return _DIGITS.findall(letters)


def _numbers_of(words: tuple[Word, ...]) -> list[str]:
    return [one for word in words for one in _DIGITS.findall(word.plain)]
