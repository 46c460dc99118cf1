"""Report the parts of a name field that are not compared, so that they do not count as checked."""

import re
import unicodedata
from collections.abc import Sequence

from rigour.text import ascii_text

from apps.reference.names.field.placeholders import is_placeholder_name
from apps.reference.watchlists.matching.name_normalization import MAX_CHARACTERS, MAX_TOKENS
from apps.reference.watchlists.namefield.parts import NamePart

NO_NAME = "it contains no name."
NOTHING = "no word of it can be read."
_WORD = re.compile(r"[^\W_]+")
_MARKED = re.compile(r"[^\s\d_]+")
_LATIN = re.compile("[A-Za-z]")
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[^\W_]")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def describe_unread(text: str, parts: Sequence[NamePart]) -> list[str]:
    """Return sentences for parts that are cut off, unreadable, or not a name at all."""
    found = []
    if not any(_is_readable(part.text) for part in parts):
        found.append(NOTHING)
    elif all(is_placeholder_name(part.text) for part in parts):
        found.append(NO_NAME)
    # the whole text is searched by its names if it is longer (NameField.searched)
    longest = max(len(_WORD.findall(part.text)) for part in parts if part.kind != "WHOLE")
    if longest > MAX_TOKENS:
        found.append(f"it has {longest} words, of which the first {MAX_TOKENS} are compared.")
    elif len(text) > MAX_CHARACTERS:
        found.append(f"of its {len(text)} letters the first {MAX_CHARACTERS} are compared.")
    strange = (
        []
        if text.isascii()
        else [word for word in _MARKED.findall(text) if _has_no_latin_form(word)]
    )
    if strange:
        letters = dict.fromkeys(letter for letter in "".join(strange) if not letter.isascii())
        shown = " ".join(f"U+{ord(letter):04X}" for letter in list(letters)[:5])
        found.append(f"some letters cannot be read ({shown}).")
    return found


def _is_readable(text: str) -> bool:
    """Return whether there is a letter and another sign: `P-532` is a name, `Q` and `671` none."""
    if not _LETTER.search(text):
        return False
    return len(_SIGN.findall(text)) > 1 or _DENSE.search(text) is not None


def _has_no_latin_form(word: str) -> bool:
    """Return whether a word has letters, or signs called so, but none with a Latin counterpart."""
    letters = [letter for letter in word if letter.isalpha() or _is_lettered_sign(letter)]
    return bool(letters) and not _LATIN.search(ascii_text(word) or "")


def _is_lettered_sign(letter: str) -> bool:
    return unicodedata.category(letter) == "So" and "LETTER" in unicodedata.name(letter, "")
