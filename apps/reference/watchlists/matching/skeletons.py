"""How alike tokens are of which one comes from a script without vowels."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from apps.reference.names.scripts.phonetics import ABJAD, compute_skeletons, consonant_skeleton

# Unvowelled scripts: equal skeletons, equal short ones, one letter apart, one of a short one.
SKELETON, SKELETON_SHORT, SKELETON_NEAR, SKELETON_NEAR_SHORT = 0.95, 0.88, 0.82, 0.74
SKELETON_ONE = 0.8  # equal but for letters that may stand for vowels
KEPT = 32_768  # tokens whose bones a process keeps
Bones = tuple[str, str, str]
"""Skeleton of a token, its bare bones, and its skeleton with `th` read as t, `kh` as h."""


@lru_cache(maxsize=KEPT)
def compute_bones(token: str) -> Bones:
    """Return the form of a token for comparison with one written without vowels."""
    bones, bare = compute_skeletons(token)
    if "th" in token:
        return bones, bare, consonant_skeleton(token.replace("th", "t"))
    if "kh" in token and token[0] != ABJAD:  # Hebrew writes it as h: Shamkhani
        return bones, bare, consonant_skeleton(token.replace("kh", "h"))
    return bones, bare, bones


def compare_skeletons(left: Sequence[Bones], right: Sequence[Bones]) -> "NDArray[np.float64]":
    """Return the similarity of each to each, 0 where they are not alike.

    One of the two sides comes from a script without vowels.
    """
    (bones, bare, without), (others, other_bare, other_without) = (
        tuple(zip(*side, strict=True)) for side in (left, right)
    )
    # a column against a row: each token with each
    sizes = np.array(list(map(len, bones)))[:, None]
    other_sizes = np.array(list(map(len, others)))
    apart = cdist(bones, others, scorer=OSA.distance, score_cutoff=1, dtype=np.uint8)
    longest = np.maximum(sizes, other_sizes)
    near = np.where(longest > 4, SKELETON_NEAR, SKELETON_NEAR_SHORT)
    found = np.where((apart <= 1) & (longest >= 3), near, 0.0)
    found[_equality_mask(bare, other_bare)] = SKELETON_ONE
    same = np.where(sizes > 2, SKELETON, SKELETON_SHORT)
    found = np.where((apart == 0) | _equality_mask(without, other_without), same, found)
    # a token of vowels alone has no consonants, and that is no likeness
    found[(sizes == 0) | (other_sizes == 0)] = 0.0
    return found


def _equality_mask(left: Sequence[str], right: Sequence[str]) -> "NDArray[np.bool_]":
    """Return which texts are the same, each with each; an empty one is like none."""
    number = {text: place for place, text in enumerate(dict.fromkeys(left)) if text}
    # -1 and -2 never match: an empty text is like no other, not even like another empty one
    ours = np.array([number.get(text, -1) for text in left])[:, None]
    return ours == np.array([number.get(text, -2) for text in right])
