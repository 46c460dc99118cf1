"""The price of edits between two tokens: vowels are cheap, sounds cheaper, first letters dear."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist, cpdist

Kind = Literal[
    "exact",
    "transliteration",
    "sense",
    "edit",
    "phonetic",
    "initial",
    "abbreviation",
    "joined",
    "skeleton",
]

# Costs are in edits: a consonant that differs is one edit, and a token may lose about
# SLOPE / length for each. Fitted on the labelled pairs; the order of sizes is the principle.
FURTHEST = 3  # edits beyond which tokens are not compared by edits at all
LEAST = 0.55  # less alike than this is not alike
SLOPE = 1.05
VOWEL = 0.55  # a vowel that differs; transliterations hardly agree on them
RESPELT, RESPELT_SHORT, SHORT = 0.1, 0.6, 5  # the same once folded; up to SHORT letters
TINY, TINY_COST = 4, 1.15  # in so few letters a difference is seldom a slip
FIRST_LETTER = 0.25  # a slip is rarely in the first letter
THIN_BONES, THIN = 2, 0.6  # so few consonants agree by chance: what is written counts too
KNOWN_WORD = 0.35  # both are words of the list: another word rather than a slip


@dataclass(frozen=True, slots=True)
class TokenLikeness:
    """Similarity in (0, 1] and what kind of agreement it is."""

    similarity: float
    kind: Kind


def price_edits(
    texts: tuple[str, str],
    folds: tuple[str, str],
    bones: tuple[str, str],
    written: int,
    heard: int,
    *,
    known: bool,
    beside: int = 0,
) -> TokenLikeness | None:
    """Price the edits: vowels are cheap, and spellings that sound the same cheaper still.

    `beside`: number of further letters that agree.
    """
    longest = max(map(len, texts)) + beside
    consonantal = OSA.distance(*bones, score_cutoff=FURTHEST)
    cost = consonantal + VOWEL * max(0, heard - consonantal)
    kind: Kind = "edit" if consonantal else "phonetic"
    if heard == 0:
        # folded they are equal: only the spelling differs
        cost, kind = RESPELT if longest > SHORT else RESPELT_SHORT, "transliteration"
    thin = heard and not consonantal and len(bones[0]) <= THIN_BONES
    if thin and 2 * written >= longest:
        cost = max(cost, THIN * written)
    # folding may tear spellings apart that differ by one letter: never dearer than as written
    cost = min(cost, written)
    if texts[0][0] != texts[1][0] and folds[0][0] != folds[1][0]:
        # the first two letters exchanged is an ordinary slip
        swapped = written == 1 and sorted(texts[0]) == sorted(texts[1])
        cost += 0.0 if swapped else FIRST_LETTER
    if cost >= 1 and known:
        cost += KNOWN_WORD
    if longest <= TINY or (consonantal and min(map(len, texts)) + beside <= TINY):
        cost *= TINY_COST
    similarity = 1 - SLOPE * cost / longest
    return TokenLikeness(similarity, kind) if similarity >= LEAST else None


def compute_paired_distances(left: Sequence[str], right: Sequence[str]) -> "NDArray[np.int8]":
    """Return the edit distances of each pair; those beyond the maximum are equal."""
    return cpdist(left, right, scorer=OSA.distance, score_cutoff=FURTHEST, dtype=np.int8)


def compute_distance_matrix(left: Sequence[str], right: Sequence[str]) -> "NDArray[np.uint8]":
    """Return the edit distances of all combinations; those beyond the maximum are equal."""
    return cdist(left, right, scorer=OSA.distance, score_cutoff=FURTHEST, dtype=np.uint8)
