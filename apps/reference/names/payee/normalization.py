"""Fold words for comparison: lower case, Latin letters, no marks; umlauts also as two letters.

`plain` drops marks (`Müller` is muller), `told` writes umlauts with two letters (mueller), as
people without them on their keyboard do. Other scripts are transliterated first.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from rigour.text import ascii_text

from apps.reference.names.scripts import cjk
from apps.reference.names.scripts.cjk import CJK_LETTER

_DIGRAPHS = {
    "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe", "đ": "dj",
}  # fmt: skip
_LETTERS = str.maketrans(
    {
        "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ł": "l",
        "ı": "i", "ħ": "h", "ŋ": "n", "ŧ": "t", "ə": "a",
    }
)  # fmt: skip
_YO_AS_YE = str.maketrans("ёЁ", "еЕ")  # Russians write either
_TOLD = str.maketrans(_DIGRAPHS)
APOSTROPHE = re.compile(r"(?<=\w)[’'ʻʿʾ`´‘ʼ](?=\w)")
_BLANKS = re.compile(r"(\s+)")
_LONE_MARKS = re.compile("[\u0300-\u036f]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class FoldedWord:
    """A word without marks, and with the letters that tell them; the same for most words."""

    plain: str
    told: str


def fold_words(text: str) -> list[FoldedWord]:
    """Return the words of a text that is in Latin letters, folded."""
    return [
        _fold_word(word)
        for word in _WORD.findall(APOSTROPHE.sub("", text.replace("İ", "I").lower()))
    ]


def transliterate_to_latin(text: str, *, person: bool) -> str:
    """Return a text with what is in other scripts put into Latin letters, the rest as it is."""
    if text.isascii():
        return text
    # composed first: the table has only whole letters
    text = unicodedata.normalize("NFC", text).translate(_YO_AS_YE)
    if CJK_LETTER.search(text):
        text = cjk.romanize_cjk(text=text, person=person)
    return "".join(map(_transliterate_run, _BLANKS.split(text)))


def is_non_latin(text: str) -> bool:
    """Return whether a text has letters, and none that is Latin."""
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and not any(map(_is_latin_letter, letters))


@lru_cache(maxsize=16384)
def _fold_word(word: str) -> FoldedWord:
    if word.isascii():
        return FoldedWord(word, word)
    composed = unicodedata.normalize("NFC", word)
    return FoldedWord(_strip_marks(composed), _strip_marks(composed.translate(_TOLD)))


def _strip_marks(word: str) -> str:
    apart = unicodedata.normalize("NFD", word.translate(_LETTERS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


@lru_cache(maxsize=4096)
def _is_latin_letter(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith(("LATIN", "MODIFIER"))


@lru_cache(maxsize=8192)
def _transliterate_run(run: str) -> str:
    """Return the text between spaces in Latin letters, unchanged if it is in them already."""
    if run.isascii() or all(map(_is_latin_letter, filter(str.isalpha, run))):
        return _LONE_MARKS.sub("", run)
    latin = (ascii_text(run) or "").replace("'", "")
    # transliteration parts characters by blanks, which would make several words of one
    return latin.replace(" ", "") if CJK_LETTER.search(run) else latin
