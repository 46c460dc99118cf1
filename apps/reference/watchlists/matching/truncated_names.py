"""Names that a message cuts off at the end of a line, as SWIFT's fields 50 and 59 do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apps.reference.watchlists.matching.mapped_files import hash_text
from apps.reference.watchlists.matching.name_normalization import fold_letters

LINE, NUMBERED_LINE = 35, 33  # characters of a line (SWIFT, MT 103: 35x, with a number 1!n/33x)
_LEAST = NUMBERED_LINE - 2  # a blank or a sign at the end of a line is lost
# letters of a name by which its beginning is found; many begin with `Limited Liability Com`
_FEWEST_LETTERS, _MORE_LETTERS = 20, 28
_SURE_LETTERS = 6  # of a word that the line ends within: fewer begin many words
_NUMBER = re.compile(r"(?:^|\s)[1-8]/")
_BRACKETS = re.compile(r"\s*\([^)]*\)")  # payments leave them out
_FIRST_WORD, _LAST_WORD = re.compile(r"^\w*"), re.compile(r"\w*$")


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line of a text, behind which no word goes on; `ends` says that nothing does."""

    text: str
    ends: bool


@dataclass(frozen=True, slots=True)
class Beginning:
    """The part of a listed name on a line, and the same with its last word in full, or without that
    word if too little of it is there.
    """

    text: str
    words: str
    within_word: bool


def list_lines(text: str) -> list[str]:
    """Return the numbered lines of a text (`1/… 2/…`), or the whole of it."""
    return [line for line in _NUMBER.split(text) if line]


def read_cut_line(text: str) -> CutLine | None:
    """Return the line at whose end a text may be cut off; None where it ends before, or goes on."""
    # a longer text that has a word across the limit was not cut there
    goes_on = len(text) > LINE and text[LINE - 1 : LINE + 1].isalnum()
    if len(text) < _LEAST or goes_on:
        return None
    return CutLine(text[:LINE].strip(), ends=len(text.strip()) <= LINE)


def list_beginning_keys(name: str) -> set[int]:
    """Return the keys under which a listed name is filed, if it is longer than a line."""
    return {
        hash_text(letters[:length])
        for letters in (
            fold_letters(form) for form in _iter_forms(name) if len(form) > NUMBERED_LINE
        )
        # under two lengths, since the line's letters decide which of them it is looked up by
        for length in (_FEWEST_LETTERS, _MORE_LETTERS)
    }


def compute_beginning_key(line: str) -> int:
    """Return the key of all names that begin with the letters of a line, and of few others."""
    letters = fold_letters(line)
    return hash_text(letters[: _MORE_LETTERS if len(letters) >= _MORE_LETTERS else _FEWEST_LETTERS])


def find_beginning(line: str, name: str) -> Beginning | None:
    """Return the part of a listed name on a line; None if the name does not begin with the line."""
    letters = fold_letters(line)
    if len(letters) < _FEWEST_LETTERS:
        return None
    for form in _iter_forms(name):
        if not fold_letters(form).startswith(letters):
            continue
        # signs and blanks do not count as letters: find where in the written form the line ends
        for end in range(len(letters), len(form)):
            text, rest = form[:end], form[end:]
            if fold_letters(text) != letters:
                continue
            last, missing = _LAST_WORD.findall(text)[0], _FIRST_WORD.findall(rest)[0]
            words = text + missing if len(last) >= _SURE_LETTERS else text.removesuffix(last)
            return Beginning(text, words if missing else text, bool(missing))
    return None


def _iter_forms(name: str) -> Iterator[str]:
    yield name
    if (bare := _BRACKETS.sub("", name)) != name:
        yield bare
