"""Find names in trimmed text: after a purpose or reference, and in an address."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apps.reference.names.field.markers import find_first_marker
from apps.reference.names.field.word_tests import (
    DENSE_LETTER,
    is_place_name,
    is_undistinctive_word,
    split_words,
)
from apps.reference.watchlists.namefield.trimmer import (
    find_reference_spans,
    street_pattern,
    strip_titles,
)

_CUT = re.compile(
    r"[,;:：|()\[\]{}<>【】（）]|//|(?<!\S)[-–—=~>/](?!\S)|(?<!\S)[1-8]/|[^\s,;:()/]*\d[^\s,;:()/]*"
)
_EDGE = " .,'\"-/&+#*"
_LEAST_LETTERS = 5  # of a single word, which counts behind a purpose
_LEAST_DENSE = 3  # letters of a name in a script without spaces between words
_SHORT = 2  # letters of a word that tells nothing


@dataclass(frozen=True, slots=True)
class Leftover:
    """A stretch that may be a name; `purposed` if a purpose or reference precedes it."""

    text: str
    purposed: bool


def iter_leftovers(text: str) -> Iterator[Leftover]:
    """Yield the stretches of a text that may be a name, if it is divided into several.

    Such a stretch has two telling words. Behind a purpose of payment one long word will do.
    """
    start = 0
    for begin, end in (*find_reference_spans(text), (len(text), len(text))):
        for number, piece in enumerate(_CUT.split(text[start:begin])):
            # only the first piece behind a purpose can be a name of a single word
            alone = start > 0 and not number
            for found in _iter_names_in_piece(piece):
                name = strip_titles(found)
                if name != text.strip() and _may_be_name(name, alone=alone):
                    yield Leftover(name, start > 0)
        start = max(start, end)


def _iter_names_in_piece(piece: str) -> Iterator[str]:
    """Yield the text between address words and words that introduce a name."""
    for stretch in street_pattern().split(piece):
        left = stretch
        while first_marker := find_first_marker(left):
            yield _strip_trailing_places(left[: first_marker.start].strip(_EDGE))
            left = left[first_marker.end :]
        yield _strip_trailing_places(left.strip(_EDGE))


def _strip_trailing_places(text: str) -> str:
    """Return a text without the places at its end, if two words are left."""
    written = text.split()
    while len(written) > 2 and is_place_name(written[-1]):
        written.pop()
    return " ".join(written)


def _may_be_name(text: str, *, alone: bool) -> bool:
    if len(DENSE_LETTER.findall(text)) >= _LEAST_DENSE:
        return True
    # an initial beside the one word is no further word of it
    lowered = [word.lower() for word in split_words(text) if len(word) > 1]
    telling = [one for one in lowered if len(one) > _SHORT and not is_undistinctive_word(one)]
    if len(telling) > 1:
        return True
    return alone and len(lowered) == 1 and bool(telling) and len(telling[0]) >= _LEAST_LETTERS
