"""The tokens of all listed names, mapped, and which of them are spelt or meant alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apps.names.scripts.phonetics import ABJAD
from apps.names.words.slavic import name_row
from apps.watchlists.matching.keys import sense_keys, sought_keys
from apps.watchlists.matching.similarity import (
    SAME_SENSE,
    Sound,
    Token,
    begins,
    estimated,
)
from apps.watchlists.matching.skeletons import by_skeleton
from apps.watchlists.matching.slavic import same_names
from apps.watchlists.matching.sounds import HEARD, by_ear
from apps.watchlists.matching.store import Ints, Keyed, Strings, distinct, text_key

_NUMBER = 0xFFFFFFFF
KEPT = 4096
"""Tokens whose kin are kept; at some hundred bytes each."""
_NO_NUMBERS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Kin:
    """Pairs of a sought token (its place) and a listed one (its number) that may be alike.

    `spelt` is about how alike by spelling, `meant` the same where words of one sense count too.
    """

    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    spelt: NDArray[np.float64]
    meant: NDArray[np.float64]


Row = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]
"""Numbers, spelt and meant of the kin of one token."""


def _alike(
    places: "NDArray[np.int64]",
    numbers: "NDArray[np.int64]",
    spelt: "NDArray[np.float64]",
    meant: "NDArray[np.float64]",
) -> Kin:
    """Return the pairs that are alike at all."""
    like = meant > 0
    return Kin(places[like], numbers[like], spelt[like], meant[like])


def _joined(rows: "Sequence[Row]") -> Kin:
    """Return the kin of several tokens, in their order."""
    if not rows:
        return Kin(_NO_NUMBERS, _NO_NUMBERS, np.empty(0), np.empty(0))
    numbers, spelt, meant = zip(*rows, strict=True)
    places = np.arange(len(rows)).repeat([len(some) for some in numbers])
    return Kin(places, np.concatenate(numbers), np.concatenate(spelt), np.concatenate(meant))


class Vocabulary:
    """Every token of the list by number, whichever groups have names with it."""

    def __init__(self, *, directory: Path) -> None:
        self._spellings = Strings(directory=directory, name="spellings")
        self._near = Keyed(directory=directory, name="near")
        self._exact = Keyed(directory=directory, name="exact")
        self._kept: dict[tuple[str, frozenset[int], int], Row] = {}

    def spelling(self, number: int) -> tuple[str, Sound]:
        """Return a token as it is written, and its sound."""
        text, fold, bones, key = self._spellings[number].decode().split(" ")
        return text, (fold, bones, key)

    def known(self, texts: Sequence[str]) -> dict[str, tuple[int, Sound]]:
        """Return number and sound of those texts that are tokens of the list."""
        found = {}
        places, numbers = self._exact.find([text_key(text) for text in texts])
        for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
            text, sound = self.spelling(number)
            if text == texts[place]:
                found[text] = number, sound
        return found

    def kin(self, tokens: Sequence[Token], counts: "Ints | None" = None) -> Kin:
        """Return the listed tokens that may be like some of the tokens, of two letters or more.

        With `counts` only those that the group has whose counts these are. What is found for a
        token is kept: the same given names and company words come again and again.
        """
        if not tokens:
            return _joined([])
        keys = [(token.text, token.senses, id(counts)) for token in tokens]
        found = {key: kept for key in keys if (kept := self._kept.get(key))}
        fresh = [at for at, key in enumerate(keys) if key not in found]
        if fresh:
            some = self._kin([tokens[at] for at in fresh], counts)
            edges = some.places.searchsorted(np.arange(len(fresh) + 1)).tolist()
            for at, (start, end) in zip(fresh, pairwise(edges), strict=True):
                cut = slice(start, end)
                found[keys[at]] = some.numbers[cut], some.spelt[cut], some.meant[cut]
            if len(self._kept) > KEPT:
                self._kept = {}
            self._kept.update(found)
        return _joined([found[key] for key in keys])

    def _kin(self, tokens: Sequence[Token], counts: "Ints | None") -> Kin:
        pairs = self._filed([sought_keys(token) for token in tokens], counts)
        if not any(token.senses for token in tokens):
            places, numbers = pairs >> 32, pairs & _NUMBER
            similarity, _mixed = self._similarities(tokens, places.tolist(), numbers)
            return _alike(places, numbers, similarity, similarity)
        senses = self._filed([sense_keys(token) for token in tokens], counts)
        both = distinct(np.concatenate((pairs, senses)))
        spelt, same = np.zeros((2, len(both)), dtype=np.bool_)
        spelt[both.searchsorted(pairs)] = same[both.searchsorted(senses)] = True
        places, numbers = both >> 32, both & _NUMBER
        similarity, mixed = self._similarities(tokens, places.tolist(), numbers)
        same[mixed] = False
        meant = np.where(same, np.maximum(similarity, SAME_SENSE), similarity)
        return _alike(places, numbers, np.where(spelt, similarity, 0.0), meant)

    def _filed(self, keys: list[list[int]], counts: "Ints | None") -> "NDArray[np.int64]":
        """Return place << 32 | number of the tokens filed under the keys of each place."""
        every = [key for some in keys for key in some]
        owners = np.arange(len(keys)).repeat([len(some) for some in keys])
        found, numbers = self._near.find(every)
        if counts is not None:
            held = counts[numbers] > 0
            found, numbers = found[held], numbers[held]
        return distinct((owners[found] << 32) | numbers)

    def _similarities(
        self, tokens: Sequence[Token], places: list[int], numbers: "NDArray[np.int64]"
    ) -> "tuple[NDArray[np.float64], list[int]]":
        """Return the similarity of each pair, and which pairs are of two kinds of script."""
        if not places:
            return np.empty(0), []
        sought = [tokens[place] for place in places]
        spellings = [spelling.split(" ") for spelling in self._spellings.take(numbers)]
        texts, folds, bones, _sound_keys = zip(*spellings, strict=True)
        similarity = estimated(tokens=sought, texts=texts, folds=folds, bones=bones)
        mixed = [
            at
            for at, (token, text) in enumerate(zip(sought, texts, strict=True))
            if (text[0] == ABJAD) != token.unvowelled
        ]
        for at in mixed:
            found = by_skeleton(sought[at].text, texts[at])
            similarity[at] = found.similarity if found else 0.0
        _by_name_and_ear(sought, texts, similarity)
        for at in np.flatnonzero(similarity == 0).tolist():
            similarity[at] = begins(sought[at].text, texts[at])
        return similarity, mixed


def _by_name_and_ear(
    sought: Sequence[Token], texts: Sequence[str], similarity: "NDArray[np.float64]"
) -> None:
    """Put in how like the tokens are that are spelt by ear, or spellings of one name."""
    special = {t.text: name_row(t.text) for t in sought if t.text[0] == HEARD or name_row(t.text)}
    if not special:
        return
    for at, (token, text) in enumerate(zip(sought, texts, strict=True)):
        if (row := special.get(token.text)) is None:
            continue
        found = same_names(token.text, row, [text]) if row else by_ear(token.text, [text])
        for likeness in found.values():
            similarity[at] = max(similarity[at], likeness.similarity)
