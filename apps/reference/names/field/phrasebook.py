"""Finds phrases in a text by their first words: a row of hundreds is never tried as a whole."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.reference.names.field.word_tests import DENSE_LETTER, collect_first_words

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A pattern, the name of its group, and what its text begins with.

    `first` are words in lower case, or a single letter of a script without spaces between words.
    """

    group: str
    pattern: str
    first: frozenset[str]


def build_phrase(*, group: str, written: str, pattern: str) -> Phrase:
    """Return a phrase whose first word is that of `written`."""
    dense = DENSE_LETTER.match(written)
    return Phrase(
        group, pattern, frozenset([written[0]]) if dense else collect_first_words([written])
    )


class Phrasebook:
    """Phrases in the order in which they are tried, each with `behind` after it."""

    def __init__(self, listed: Iterable[Phrase], *, behind: str = "") -> None:
        """Sort the phrases by what they begin with; patterns are compiled when first needed."""
        self._behind = behind
        self._compiled: dict[str, re.Pattern[str]] = {}
        self._by_first: dict[str, list[Phrase]] = {}
        for phrase in listed:
            for first in phrase.first:
                self._by_first.setdefault(first, []).append(phrase)

    def match(self, text: str, place: int) -> "re.Match[str] | None":
        """Return the phrase at a position of a text; its last group is its group."""
        word = _WORD.match(text, place)
        if word is None:
            return None
        found = self._tried(word[0].lower(), text, place)
        # a script without spaces: the phrase may be the beginning of a longer run of letters
        return found or self._tried(text[place], text, place)

    def _tried(self, first: str, text: str, place: int) -> "re.Match[str] | None":
        if first not in self._by_first:
            return None
        if first not in self._compiled:
            groups: dict[str, list[str]] = {}
            for one in self._by_first[first]:
                groups.setdefault(one.group, []).append(one.pattern)
            any_of = "|".join(f"(?P<{name}>{'|'.join(row)})" for name, row in groups.items())
            pattern = rf"(?:{any_of}){self._behind}"
            self._compiled[first] = re.compile(pattern, re.IGNORECASE)
        return self._compiled[first].match(text, place)


def iter_phrase_starts(text: str) -> Iterator[int]:
    """Yield where a phrase may begin: at each word, and each letter of a dense script."""
    for word in _WORD.finditer(text):
        yield word.start()
        if not word[0].isascii():
            start = word.start()
            yield from (
                start + at for at in range(1, len(word[0])) if DENSE_LETTER.match(word[0][at])
            )
