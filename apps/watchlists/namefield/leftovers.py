"""Names in what is cut away from a name: behind a purpose or reference, and in an address."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from apps.names.field.markers import divides
from apps.names.field.telling import DENSE, is_place, says_little, words
from apps.watchlists.namefield.tails import referred, streets, untitled

_CUT = re.compile(
    r"[,;:：|()\[\]{}<>【】（）]|//|(?<!\S)[-–—=~>/](?!\S)|(?<!\S)[1-8]/|[^\s,;:()/]*\d[^\s,;:()/]*"
)
_EDGE = " .,'\"-/&+#*"
_LEAST_LETTERS = 5  # of a single word, which counts behind a purpose
_LEAST_DENSE = 3  # letters of a name in a script without spaces between words
_SHORT = 2  # letters of a word that tells nothing


@dataclass(frozen=True, slots=True)
class Leftover:
    """A stretch that may be a name; `purposed` when a purpose or reference stands before it."""

    text: str
    purposed: bool


def leftovers(text: str) -> Iterator[Leftover]:
    """Yield the stretches of a text that may be a name, if it is divided into several.

    Such a stretch has two telling words. Behind a purpose of payment one long word will do.
    """
    start = 0
    for begin, end in (*referred(text), (len(text), len(text))):
        for number, piece in enumerate(_CUT.split(text[start:begin])):
            alone = start > 0 and not number
            for found in _names_in(piece):
                name = untitled(found)
                if name != text.strip() and _may_be_name(name, alone=alone):
                    yield Leftover(name, start > 0)
        start = max(start, end)


def _names_in(piece: str) -> Iterator[str]:
    """Yield what stands between the words of addresses and those that introduce a name."""
    for stretch in streets().split(piece):
        left = stretch
        while found := divides(left):
            yield _without_places(left[: found.start].strip(_EDGE))
            left = left[found.end :]
        yield _without_places(left.strip(_EDGE))


def _without_places(text: str) -> str:
    """Return a text without the places at its end, if two words are left."""
    written = text.split()
    while len(written) > 2 and is_place(written[-1]):
        written.pop()
    return " ".join(written)


def _may_be_name(text: str, *, alone: bool) -> bool:
    if len(DENSE.findall(text)) >= _LEAST_DENSE:
        return True
    # an initial beside the one word is no further word of it
    lowered = [one.lower() for one in words(text) if len(one) > 1]
    telling = [one for one in lowered if len(one) > _SHORT and not says_little(one)]
    if len(telling) > 1:
        return True
    return alone and len(lowered) == 1 and bool(telling) and len(telling[0]) >= _LEAST_LETTERS
