"""The tokens of all listed names, mapped, and which of them are spelt or meant alike."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.words.slavic_person_names import find_slavic_name_number
from apps.reference.watchlists.matching.mapped_files import (
    Ints,
    MappedMultimap,
    MappedStrings,
    hash_text,
    load_mapped_array,
    sort_distinct,
)
from apps.reference.watchlists.matching.similarity import (
    SAME_SENSE,
    Sound,
    Token,
    estimate_similarities,
    score_beginning,
)
from apps.reference.watchlists.matching.skeletons import Bones, compare_skeletons, compute_bones
from apps.reference.watchlists.matching.slavic_names import match_slavic_spellings
from apps.reference.watchlists.matching.token_keys import compute_sense_keys, compute_sought_keys
from apps.reference.watchlists.matching.transcriptions import HEARD, score_sound_likeness

_NUMBER = 0xFFFFFFFF
KEPT = 4096
"""Tokens whose kin are kept; at some hundred bytes each."""
_NO_NUMBERS = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class TokenKin:
    """Pairs of a sought token (its place) and a listed one (its number) that may be alike.

    `spelt` is about how alike by spelling, `meant` the same where words of one sense count too.
    """

    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    spelt: NDArray[np.float64]
    meant: NDArray[np.float64]


Row = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]
"""Numbers, spelt and meant of the kin of one token."""


def _select_alike(
    places: "NDArray[np.int64]",
    numbers: "NDArray[np.int64]",
    spelt: "NDArray[np.float64]",
    meant: "NDArray[np.float64]",
) -> TokenKin:
    """Return the pairs that are alike at all."""
    like = meant > 0
    return TokenKin(places[like], numbers[like], spelt[like], meant[like])


def _concatenate_kin(rows: "Sequence[Row]") -> TokenKin:
    """Return the kin of several tokens, in their order."""
    if not rows:
        return TokenKin(_NO_NUMBERS, _NO_NUMBERS, np.empty(0), np.empty(0))
    numbers, spelt, meant = zip(*rows, strict=True)
    places = np.arange(len(rows)).repeat([len(some) for some in numbers])
    return TokenKin(places, np.concatenate(numbers), np.concatenate(spelt), np.concatenate(meant))


class Vocabulary:
    """Every token of the list by number, whichever groups have names with it."""

    def __init__(self, *, directory: Path) -> None:
        self._spellings = MappedStrings(directory=directory, name="spellings")
        self._bones = MappedStrings(directory=directory, name="bones")
        self._boned = load_mapped_array(directory / "boned.npy")
        self._sounds = MappedStrings(directory=directory, name="sounds")
        self._sounded = load_mapped_array(directory / "sounded.npy")
        self._unvowelled = load_mapped_array(directory / "unvowelled.npy")
        self._near = MappedMultimap(directory=directory, name="near")
        self._exact = MappedMultimap(directory=directory, name="exact")
        self._kept: dict[tuple[str, frozenset[int], int], Row] = {}

    def spelling(self, number: int) -> tuple[str, Sound]:
        """Return a token as it is written, and its sound."""
        text, fold, bones, key = self._spellings[number].decode().split(" ")
        return text, (fold, bones, key)

    def known(self, texts: Sequence[str]) -> dict[str, tuple[int, Sound]]:
        """Return number and sound of those texts that are tokens of the list."""
        found = {}
        places, numbers = self._exact.find([hash_text(text) for text in texts])
        for place, number in zip(places.tolist(), numbers.tolist(), strict=True):
            text, sound = self.spelling(number)
            # the file is keyed by 32-bit hashes: another token may have the same one
            if text == texts[place]:
                found[text] = number, sound
        return found

    def kin(self, tokens: Sequence[Token], counts: "Ints | None" = None) -> TokenKin:
        """Return the listed tokens that may be like some of the tokens, of two letters or more.

        With `counts` only those that the group has whose counts these are. What is found for a
        token is kept: the same given names and company words come again and again.
        """
        if not tokens:
            return _concatenate_kin([])
        # by identity: a group keeps its array as long as the index lives, so no id is used twice
        keys = [(token.text, token.senses, id(counts)) for token in tokens]
        found = {key: kept for key in keys if (kept := self._kept.get(key))}
        fresh = [at for at, key in enumerate(keys) if key not in found]
        if fresh:
            some = self._kin([tokens[at] for at in fresh], counts)
            edges = some.places.searchsorted(np.arange(len(fresh) + 1)).tolist()
            for at, (start, end) in zip(fresh, pairwise(edges), strict=True):
                cut = slice(start, end)
                found[keys[at]] = some.numbers[cut], some.spelt[cut], some.meant[cut]
            # all at once: searches have no order that would tell which tokens come again
            if len(self._kept) > KEPT:
                self._kept = {}
            self._kept.update(found)
        return _concatenate_kin([found[key] for key in keys])

    def _kin(self, tokens: Sequence[Token], counts: "Ints | None") -> TokenKin:
        # the keys give a superset; the similarities below decide
        pairs = self._filed([compute_sought_keys(token) for token in tokens], counts)
        if not any(token.senses for token in tokens):
            places, numbers = pairs >> 32, pairs & _NUMBER
            similarity, _mixed = self._similarities(tokens, places, numbers)
            return _select_alike(places, numbers, similarity, similarity)
        senses = self._filed([compute_sense_keys(token) for token in tokens], counts)
        both = sort_distinct(np.concatenate((pairs, senses)))
        spelt, same = np.zeros((2, len(both)), dtype=np.bool_)
        spelt[both.searchsorted(pairs)] = same[both.searchsorted(senses)] = True
        places, numbers = both >> 32, both & _NUMBER
        similarity, mixed = self._similarities(tokens, places, numbers)
        # a word without vowels has no sense of its own: it resembles the one by its letters
        same[mixed] = False
        meant = np.where(same, np.maximum(similarity, SAME_SENSE), similarity)
        return _select_alike(places, numbers, np.where(spelt, similarity, 0.0), meant)

    def _filed(self, keys: list[list[int]], counts: "Ints | None") -> "NDArray[np.int64]":
        """Return place << 32 | number of the tokens filed under the keys of each place."""
        every = [key for some in keys for key in some]
        owners = np.arange(len(keys)).repeat([len(some) for some in keys])
        found, numbers = self._near.find(every)
        if counts is not None:
            held = counts[numbers] > 0
            found, numbers = found[held], numbers[held]
        return sort_distinct((owners[found] << 32) | numbers)

    def _similarities(
        self,
        tokens: Sequence[Token],
        places: "NDArray[np.int64]",
        numbers: "NDArray[np.int64]",
    ) -> "tuple[NDArray[np.float64], NDArray[np.bool_]]":
        """Return the similarity of each pair, and which pairs are of two kinds of script."""
        unvowelled = np.array([token.unvowelled for token in tokens])
        mixed = self._unvowelled[numbers] != unvowelled[places]
        similarity = np.zeros(len(places))
        if mixed.any():
            similarity[mixed] = self._by_skeleton(tokens, places[mixed], numbers[mixed])
        alike = np.flatnonzero(~mixed)
        if len(alike):
            sought = [tokens[place] for place in places[alike].tolist()]
            similarity[alike] = self._by_spelling(sought, numbers[alike])
        return similarity, mixed

    def _by_skeleton(
        self,
        tokens: Sequence[Token],
        places: "NDArray[np.int64]",
        numbers: "NDArray[np.int64]",
    ) -> "NDArray[np.float64]":
        """Return the similarity of pairs of two kinds of script; many listed tokens sound alike."""
        check_cpu_budget()
        # each distinct skeleton is compared once, then spread over the tokens that have it
        bones, columns = np.unique(self._boned[numbers], return_inverse=True)
        asked, rows = np.unique(places, return_inverse=True)
        found = compare_skeletons(
            [compute_bones(tokens[place].text) for place in asked.tolist()],
            [_split_bones(text) for text in self._bones.take(bones)],
        )
        similarity: NDArray[np.float64] = found[rows, columns]
        return similarity

    def _by_spelling(
        self, sought: Sequence[Token], numbers: "NDArray[np.int64]"
    ) -> "NDArray[np.float64]":
        """Return the similarity of pairs of one kind of script."""
        check_cpu_budget()
        spellings = [spelling.split(" ") for spelling in self._spellings.take(numbers)]
        texts, folds, bones, _sound_keys = zip(*spellings, strict=True)
        similarity = estimate_similarities(tokens=sought, texts=texts, folds=folds, bones=bones)
        _raise_by_name(sought, texts, similarity)
        self._raise_by_sound(sought, numbers, texts, similarity)
        # what is not alike by edits may still be a name cut off
        for at in np.flatnonzero(similarity == 0).tolist():
            similarity[at] = score_beginning(sought[at].text, texts[at])
        return similarity

    def _raise_by_sound(
        self,
        sought: Sequence[Token],
        numbers: "NDArray[np.integer[Any]]",
        texts: Sequence[str],
        similarity: "NDArray[np.float64]",
    ) -> None:
        """Put in how like the tokens that are spelt by ear are to the listed ones, by sound."""
        places = defaultdict(list)
        for at, token in enumerate(sought):
            if token.text[0] == HEARD:
                places[token.text].append(at)
        for text, own in places.items():
            filed = self._sounds.take(self._sounded[numbers[own]])
            likeness = score_sound_likeness(
                text, [texts[at] for at in own], [sounds.split(" ") for sounds in filed]
            )
            similarity[own] = np.maximum(similarity[own], likeness)


def _split_bones(text: str) -> Bones:
    bones, bare, without = text.split(" ")
    return bones, bare, without


def _raise_by_name(
    sought: Sequence[Token], texts: Sequence[str], similarity: "NDArray[np.float64]"
) -> None:
    """Put in how like the tokens are that are spellings of one name."""
    places = defaultdict(list)
    for at, token in enumerate(sought):
        if find_slavic_name_number(token.text):
            places[token.text].append(at)
    for text, own in places.items():
        others = [texts[at] for at in own]
        found = match_slavic_spellings(text, find_slavic_name_number(text), others)
        for at, other in zip(own, others, strict=True):
            if likeness := found.get((text, other)):
                similarity[at] = max(similarity[at], likeness.similarity)
