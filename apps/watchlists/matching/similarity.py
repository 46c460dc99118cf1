"""How alike two tokens are, and why: the same word, a misspelling, a transliteration, …"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist, cpdist

from apps.watchlists.matching.lexicon import TokenFacts, TokenWeights, is_particle
from apps.watchlists.matching.names import Group
from apps.watchlists.matching.phonetics import (
    ABJAD,
    bare_bones,
    consonants,
    folded,
    skeleton,
    sound_key,
)
from apps.watchlists.matching.words import COMMON_PERSON_NAMES

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
KNOWN_WORD = 0.12  # both are words of the list: another word rather than a slip
INITIAL = 0.84
SAME_SENSE = 0.88
STEM, LONGEST_ENDING, PREFIX = 0.85, 3, 0.7  # `Iran`, `Iranian`; a name cut off
# Unvowelled scripts: equal skeletons, equal short ones, one letter apart, one of a short one.
SKELETON, SKELETON_SHORT, SKELETON_NEAR, SKELETON_NEAR_SHORT = 0.95, 0.88, 0.82, 0.74
SKELETON_ONE = 0.8  # equal but for letters that may stand for vowels


@dataclass(frozen=True, slots=True)
class Token:
    """A token with everything that comparison asks of it, computed once."""

    text: str
    fold: str
    bones: str
    key: str
    weight: float
    count: int
    senses: frozenset[int]
    particle: bool
    place: bool
    unvowelled: bool
    common: bool


@dataclass(frozen=True, slots=True)
class Likeness:
    """Similarity in (0, 1] and what kind of agreement it is."""

    similarity: float
    kind: Kind


Sound = tuple[str, str, str]
Likenesses = Mapping[tuple[str, str], Likeness]
_EXACT = Likeness(1.0, "exact")
_SENSE = Likeness(SAME_SENSE, "sense")


def token_of(*, text: str, group: Group, weights: TokenWeights) -> Token:
    """Return the token with its sound and its facts."""
    return with_facts(text=text, facts=weights.facts(token=text, group=group))


def sound_of(text: str) -> Sound:
    """Return fold, bones and sound key of a token."""
    fold = folded(text.lstrip(ABJAD))
    bones = skeleton(text) if text[0] == ABJAD else consonants(fold)
    return fold, bones, sound_key(fold)


def with_facts(*, text: str, facts: TokenFacts, sound: Sound | None = None) -> Token:
    """Return the token with its sound, unless that is known already, and the facts given."""
    fold, bones, key = sound or sound_of(text)
    return Token(
        text=text,
        fold=fold,
        bones=bones,
        key=key,
        weight=facts.weight,
        count=facts.count,
        senses=facts.senses,
        particle=is_particle(text),
        place=facts.place,
        unvowelled=text[0] == ABJAD,
        common=text in COMMON_PERSON_NAMES,
    )


def likenesses(*, left: Sequence[Token], right: Sequence[Token], group: Group) -> Likenesses:
    """Return the likeness of each pair of tokens that are alike at all, keyed by their texts."""
    if not left or not right:
        return {}
    written = _distances([token.text for token in left], [token.text for token in right])
    heard = _distances([token.fold for token in left], [token.fold for token in right])
    near = np.minimum(written, heard) <= FURTHEST
    found = {}
    for i, one in enumerate(left):
        alike, unvowelled = near[i].tolist(), one.unvowelled
        for j, other in enumerate(right):
            if unvowelled != other.unvowelled:
                likeness = by_skeleton(one.text, other.text)
            elif alike[j]:
                likeness = _near(one, other, int(written[i, j]), int(heard[i, j]), group)
            elif one.text[0] == other.text[0] or one.senses:
                likeness = _far(one, other, group)
            else:
                continue
            if likeness:
                found[one.text, other.text] = likeness
    return found


def estimated(
    *,
    tokens: Sequence[Token],
    texts: Sequence[str],
    folds: Sequence[str],
    bones: Sequence[str],
) -> "NDArray[np.float64]":
    """Return about how like each token the listed one at its place is, 0 where unlike.

    Only edits are looked at, and none of what may set two words apart: never much too low.
    Both tokens of a pair must be of one kind of script.
    """
    sought = [token.text for token in tokens]
    written = _apart(sought, texts)
    heard = _apart([token.fold for token in tokens], folds)
    consonantal = _apart([token.bones for token in tokens], bones)
    cost = consonantal + VOWEL * np.maximum(heard - consonantal, 0)
    cost[heard == 0] = RESPELT
    longest = np.maximum(list(map(len, sought)), list(map(len, texts)))
    similarity = 1 - SLOPE * np.minimum(cost, written) / longest
    similarity[(np.minimum(written, heard) > FURTHEST) | (similarity < LEAST)] = 0.0
    if any(map(str.isdigit, sought)):
        similarity[np.array([one.isdigit() for one in sought]) & (written > 0)] = 0.0
    return similarity


def _apart(left: Sequence[str], right: Sequence[str]) -> "NDArray[np.int8]":
    """Return the edit distances of each pair, those past the furthest not told apart."""
    return cpdist(left, right, scorer=OSA.distance, score_cutoff=FURTHEST, dtype=np.int8)


def _distances(left: Sequence[str], right: Sequence[str]) -> "NDArray[np.uint8]":
    """Return the edit distances of each to each, those past the furthest not told apart."""
    return cdist(left, right, scorer=OSA.distance, score_cutoff=FURTHEST, dtype=np.uint8)


def _near(one: Token, other: Token, written: int, heard: int, group: Group) -> Likeness | None:
    if written == 0:
        return _EXACT
    if one.text.isdigit() or other.text.isdigit():
        return None
    if len(one.text) == 1 or len(other.text) == 1:
        return _initial(one, other, group)
    best = _edited(one, other, written, heard)
    if one.senses and other.senses:
        best = _better(best, _SENSE) if one.senses & other.senses else None
    return best or _abbreviated(one, other, group)


def _far(one: Token, other: Token, group: Group) -> Likeness | None:
    if len(one.text) == 1 or len(other.text) == 1:
        return _initial(one, other, group)
    if one.senses & other.senses:
        return _SENSE
    return _abbreviated(one, other, group)


def _edited(one: Token, other: Token, written: int, heard: int) -> Likeness | None:
    """Price the edits: vowels are cheap, and spellings that sound the same cheaper still."""
    longest = max(len(one.text), len(other.text))
    consonantal = OSA.distance(one.bones, other.bones, score_cutoff=FURTHEST)
    if consonantal and one.common and other.common:
        return None  # two names that everybody knows: neither is a slip for the other
    cost = consonantal + VOWEL * max(0, heard - consonantal)
    kind: Kind = "edit" if consonantal else "phonetic"
    if heard == 0:
        cost, kind = RESPELT if longest > SHORT else RESPELT_SHORT, "transliteration"
    cost = min(cost, written)
    if one.text[0] != other.text[0] and one.fold[0] != other.fold[0]:
        swapped = written == 1 and sorted(one.text) == sorted(other.text)
        cost += 0.0 if swapped else FIRST_LETTER
    if cost >= 1 and not one.senses & other.senses:
        cost += KNOWN_WORD if one.count and other.count else 0.0
    if longest <= TINY:
        cost *= TINY_COST
    similarity = 1 - SLOPE * cost / longest
    return Likeness(similarity, kind) if similarity >= LEAST else None


def _initial(one: Token, other: Token, group: Group) -> Likeness | None:
    if group == "thing" or one.text[0] != other.text[0]:
        return None
    return Likeness(INITIAL, "initial")


def _abbreviated(one: Token, other: Token, group: Group) -> Likeness | None:
    """One token begins the other: a stem and its ending (`Iran`, `Iranian`), or a name cut off."""
    short, long = sorted((one.text, other.text), key=len)
    if len(short) < 4 or not long.startswith(short):
        return None
    if group == "thing" and len(long) - len(short) <= LONGEST_ENDING:
        return Likeness(STEM, "abbreviation")
    if len(short) < 5:
        return None
    return Likeness(max(PREFIX, len(short) / len(long)), "abbreviation")


def by_skeleton(one: str, other: str) -> Likeness | None:
    """Return the likeness of two tokens of which one comes from a script without vowels."""
    left, right = skeleton(one), skeleton(other)
    if not left or not right:
        return None
    if left == right or skeleton(one.replace("th", "t")) == skeleton(other.replace("th", "t")):
        return Likeness(SKELETON if len(left) > 2 else SKELETON_SHORT, "skeleton")
    if bare_bones(one) == bare_bones(other) != "":
        return Likeness(SKELETON_ONE, "skeleton")
    longest = max(len(left), len(right))
    if longest < 3 or OSA.distance(left, right, score_cutoff=1) > 1:
        return None
    return Likeness(SKELETON_NEAR if longest > 4 else SKELETON_NEAR_SHORT, "skeleton")


def _better(one: Likeness | None, other: Likeness) -> Likeness:
    return one if one and one.similarity >= other.similarity else other
