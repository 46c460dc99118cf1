"""Words of a name as they were written, beside what the matcher reads for them. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.watchlists.matching.name_normalization import Group, normalize_name
from apps.reference.watchlists.matching.transcriptions import HEARD

MARKS = ABJAD + HEARD  # what the matcher writes before a token of another script
_PART = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class WrittenWord:
    """A word as it was written, and the tokens that the matcher reads of it alone."""

    text: str
    tokens: tuple[str, ...]


def split_bare_words(word: str) -> list[str]:
    """Return the words between two spaces, without the signs around them."""
    parts = _PART.findall(word)
    return parts if is_latin_word(word) or not parts else [" ".join(parts)]


@lru_cache(maxsize=512)  # the page of a case tells the same names several times
def read_words(name: str, group: Group) -> tuple[WrittenWord, ...]:
    """Return the words of a name; one of another script than Latin is read as a whole."""
    words = [bare_word for word in name.split() for bare_word in split_bare_words(word)]
    return tuple(WrittenWord(word, normalize_name(name=word, group=group).tokens) for word in words)


def map_tokens_to_words(name: str, group: Group) -> dict[str, str]:
    """Return the words of a name as written, by the matcher's tokens.

    A word of another script that is several tokens is returned for each of them.
    """
    tokens: dict[str, str] = {}
    for word in read_words(name, group):
        # a Latin word of several tokens cannot be told apart: each token is shown as it is read
        if len(word.tokens) == 1 or not is_latin_word(word.text):
            tokens |= dict.fromkeys(word.tokens, word.text)
    return tokens


def format_as_written(words: dict[str, str], tokens: str) -> str:
    """Return words as they were written, and beside those of another script how they are read."""
    shown = []
    for token in tokens.split():
        heard, word = token.lstrip(MARKS), words.get(token, "")
        other = bool(word) and not word.isascii() and not is_latin_word(word)
        shown.append(f"{word} ({heard})" if other else word or heard)
    return " ".join(shown)


def is_latin_word(word: str) -> bool:
    """Return whether a word is written in Latin letters, with or without marks."""
    return all(ord(letter) < 0x250 or 0x1E00 <= ord(letter) < 0x1F00 for letter in word)
