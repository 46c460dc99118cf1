"""Takes out of words what no word is written with: digits at its edge, tags, single ideographs."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from apps.reference.names.field.word_tests import is_distinctive_name

ODD = "a word contains signs or letters that do not occur in names."
_LEAST = 3  # letters of a word at whose edge digits are no part of it: `3M`, `4x` are names
_LETTERS = rf"[^\W\d_]{{{_LEAST}}}"
_YEAR = r"(?<=[^\W\d_]{2})\d{4}"  # no short name has one
_EDGE_DIGITS = re.compile(rf"(?<![^\W_])\d+(?={_LETTERS})|(?:(?<={_LETTERS})\d+|{_YEAR})(?![^\W_])")
_ORDINAL = re.compile(r"(?<![^\W_])\d+(?:st|nd|rd|th|er|eme|ème)(?![^\W_])", re.IGNORECASE)
_INNER_DIGITS = re.compile(rf"(?<={_LETTERS})\d+(?={_LETTERS})")
_BEHIND_DIGITS = re.compile(rf"(?<={_LETTERS})\d{{2,}}(?={_LETTERS})")
_TAG = re.compile(r"(?<=[^\W\d_])(?:[<(\[{][^<>()\[\]{}]{0,40}[>)\]}])+(?=[^\W\d_])")
_NO_LATIN = r"[\u2e80-\u2fdf\u3005-\u312f\u31a0-\u31ff\u3400-\u9fff\uf900-\ufaff]"
_LATIN = r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"
_IDEOGRAPHS = re.compile(rf"(?<={_LATIN}){_NO_LATIN}{{1,2}}(?={_LATIN})")
_BOPOMOFO = re.compile(rf"(?<={_LATIN})[\u3105-\u312f]+|[\u3105-\u312f]+(?={_LATIN})")


def has_stray_signs(text: str) -> bool:
    """Return whether a text, as it was written, holds signs within words, or turned letters.

    Signs are ideographs between Latin letters, Bopomofo beside them, and numbers written as one
    sign. `中国ABC公司` and `ABC株式会社` are written so by custom.
    """
    if text.isascii():
        return False
    if _IDEOGRAPHS.search(text) or _BOPOMOFO.search(text):
        return True
    inner = zip(text, text[1:], text[2:], strict=False)
    within = (one for before, one, after in inner if before.isalpha() and after.isalpha())
    return any(map(_is_number_sign, within)) or any(map(_is_turned_letter, text))


def iter_without_stray_signs(text: str) -> Iterator[str]:
    """Yield what a text says without the strangers in its words; nothing where there are none."""
    if not text.isascii():
        yield _BOPOMOFO.sub("", _IDEOGRAPHS.sub("", text))
    if "<" in text or "(" in text or "[" in text or "{" in text:
        yield _TAG.sub("", text)
    if not any(map(str.isdigit, text)):
        return
    apart = _INNER_DIGITS.sub(" ", text)
    if is_distinctive_name(bare := "".join(_iter_without_edge_digits(apart))):
        yield bare
    if found := _BEHIND_DIGITS.search(text):
        yield text[found.end() :]
        yield text[: found.start()]


def strip_number_signs(text: str) -> str:
    """Return a text as it was written, without the numbers that are written as one sign."""
    return "".join(one for one in text if one.isascii() or not _is_number_sign(one))


def _iter_without_edge_digits(text: str) -> Iterator[str]:
    for word in re.split(r"(\s+)", text):
        yield word if _ORDINAL.fullmatch(word) else _EDGE_DIGITS.sub("", word)


@lru_cache(maxsize=4096)
def _is_number_sign(letter: str) -> bool:
    return unicodedata.category(letter) in ("Nl", "No")


@lru_cache(maxsize=4096)
def _is_turned_letter(letter: str) -> bool:
    return not letter.isascii() and "LATIN SMALL LETTER TURNED" in unicodedata.name(letter, "")
