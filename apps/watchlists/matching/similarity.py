"""How alike two tokens are, and why: the same word, a misspelling, a transliteration, …"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from apps.names.scripts.phonetics import ABJAD, consonants, folded, skeleton, sound_key
from apps.names.scripts.syllables import is_syllabic, syllabic, syllables
from apps.names.words.general import COMMON_PERSON_NAMES
from apps.names.words.initials import stands_for
from apps.names.words.slavic import name_row
from apps.watchlists.matching.compounds import compound
from apps.watchlists.matching.edits import (
    FURTHEST,
    LEAST,
    RESPELT,
    SLOPE,
    VOWEL,
    Likeness,
    apart,
    distances,
    priced,
)
from apps.watchlists.matching.lexicon import TokenFacts, TokenWeights
from apps.watchlists.matching.names import Group
from apps.watchlists.matching.skeletons import by_skeleton
from apps.watchlists.matching.slavic import same_names
from apps.watchlists.matching.sounds import HEARD, by_ear

INITIAL, SAME_SENSE, OTHER_SYLLABLE = 0.84, 0.88, 0.82
HALF_COMPOUND = 0.76  # `Rahman`, `Abd al-Rahman`
SHARED_LETTERS = 2  # what the shared word of two compounds adds to their likeness
STEM, LONGEST_ENDING, PREFIX = 0.85, 3, 0.7  # `Iran`, `Iranian`; a name cut off


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
    personal: bool
    unvowelled: bool
    common: bool
    shared: str
    stem: str


Sound = tuple[str, str, str]
Likenesses = Mapping[tuple[str, str], Likeness]
_EXACT = Likeness(1.0, "exact")
_SENSE = Likeness(SAME_SENSE, "sense")
_SAME_SYLLABLES = Likeness(0.93, "transliteration")


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
    shared, stem = compound(text)
    return Token(
        text=text,
        fold=fold,
        bones=bones,
        key=key,
        weight=facts.weight,
        count=facts.count,
        senses=facts.senses,
        particle=facts.particle,
        place=facts.place,
        personal=facts.personal,
        unvowelled=text[0] == ABJAD,
        common=text in COMMON_PERSON_NAMES,
        shared=shared,
        stem=stem,
    )


def likenesses(*, left: Sequence[Token], right: Sequence[Token], group: Group) -> Likenesses:
    """Return the likeness of each pair of tokens that are alike at all, keyed by their texts."""
    if not (left and right):
        return {}
    written = distances([token.text for token in left], [token.text for token in right])
    heard = distances([token.fold for token in left], [token.fold for token in right])
    near = np.minimum(written, heard) <= FURTHEST
    person = group == "person"
    drawn = person and is_syllabic(tuple(token.text for token in left))
    found: dict[tuple[str, str], Likeness] = {}
    for i, one in enumerate(left):
        if one.text[0] == HEARD:
            found |= by_ear(one.text, [other.text for other in right])
            continue
        close, unvowelled = near[i].tolist(), one.unvowelled
        for j, other in enumerate(right):
            if unvowelled != other.unvowelled:
                likeness = by_skeleton(one.text, other.text)
            elif close[j]:
                likeness = _near(one, other, int(written[i, j]), int(heard[i, j]), group)
            elif (
                one.text[0] == other.text[0] or one.senses or 1 in (len(one.text), len(other.text))
            ):
                likeness = _far(one, other, group)
            else:
                likeness = None
            if person and written[i, j]:
                likeness = _of_person(one, other, likeness, drawn=drawn, same=not heard[i, j])
            if likeness:
                found[one.text, other.text] = likeness
        if person and (row := name_row(one.text)):
            found |= same_names(one.text, row, [other.text for other in right])
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
    written = apart(sought, texts)
    heard = apart([token.fold for token in tokens], folds)
    consonantal = apart([token.bones for token in tokens], bones)
    cost = consonantal + VOWEL * np.maximum(heard - consonantal, 0)
    cost[heard == 0] = RESPELT
    longest = np.maximum(list(map(len, sought)), list(map(len, texts)))
    similarity = 1 - SLOPE * np.minimum(cost, written) / longest
    similarity[(np.minimum(written, heard) > FURTHEST) | (similarity < LEAST)] = 0.0
    if any(map(str.isdigit, sought)):
        similarity[np.array([one.isdigit() for one in sought]) & (written > 0)] = 0.0
    return similarity


def _of_person(
    one: Token, other: Token, found: Likeness | None, *, drawn: bool, same: bool
) -> Likeness | None:
    """Return the likeness of two names of persons, corrected for syllables and compounds."""
    if len(one.text) == 1 or len(other.text) == 1 or one.unvowelled or other.unvowelled:
        return found
    if one.particle != other.particle:
        return None  # `al` is no slip for `Ali`
    if drawn and other.text.isalpha() and syllabic(other.text):
        return _drawn(one, other, found, same=same)
    return _compound(one, other, found) if one.stem or other.stem else found


def _drawn(one: Token, other: Token, found: Likeness | None, *, same: bool) -> Likeness | None:
    """Return the likeness of two tokens of syllables: another syllable is hardly ever a slip."""
    if same or (syllables(one.text) and syllables(one.text) == syllables(other.text)):
        return _SAME_SYLLABLES
    similarity = found.similarity * OTHER_SYLLABLE if found else 0.0
    return Likeness(similarity, found.kind) if found and similarity >= LEAST else None


def _compound(one: Token, other: Token, found: Likeness | None) -> Likeness | None:
    """Return the likeness of two names of which one or both are compounds, by what tells them."""
    if one.shared != other.shared and one.shared and other.shared:
        return found
    left, right = one.stem or one.text, other.stem or other.text
    folds = folded(left), folded(right)
    stems = priced(
        (left, right),
        folds,
        (consonants(folds[0]), consonants(folds[1])),
        OSA.distance(left, right, score_cutoff=FURTHEST),
        OSA.distance(*folds, score_cutoff=FURTHEST),
        known=bool(one.count and other.count),
        beside=SHARED_LETTERS if one.shared == other.shared else 0,
    )
    if one.shared == other.shared:
        return stems
    similarity = stems.similarity * HALF_COMPOUND if stems else 0.0
    if stems and similarity >= LEAST:
        return _better(found, Likeness(similarity, "abbreviation"))
    return found


def _near(one: Token, other: Token, written: int, heard: int, group: Group) -> Likeness | None:
    if written == 0:
        return _EXACT
    if one.text.isdigit() or other.text.isdigit():
        return None
    if len(one.text) == 1 or len(other.text) == 1:
        return _initial(one, other, group)
    best = _edited(one, other, written, heard, group)
    if one.senses and other.senses:
        best = _better(best, _SENSE) if one.senses & other.senses else None
    return best or _abbreviated(one, other, group)


def _far(one: Token, other: Token, group: Group) -> Likeness | None:
    if len(one.text) == 1 or len(other.text) == 1:
        return _initial(one, other, group)
    if one.senses & other.senses:
        return _SENSE
    return _abbreviated(one, other, group)


def _edited(one: Token, other: Token, written: int, heard: int, group: Group) -> Likeness | None:
    if one.common and other.common and one.bones != other.bones:
        return None  # two names that everybody knows: neither is a slip for the other
    if group == "person" and ("q" in one.text) != ("q" in other.text):
        return _guttural(one, other, written)
    return priced(
        (one.text, other.text),
        (one.fold, other.fold),
        (one.bones, other.bones),
        written,
        heard,
        known=bool(one.count and other.count and not one.senses & other.senses),
    )


def _guttural(one: Token, other: Token, written: int) -> Likeness | None:
    """Price the edits of two names of which one has a `q`, which others write `g` or `gh`."""
    folds = tuple(folded(token.text.replace("gh", "q").replace("g", "q")) for token in (one, other))
    return priced(
        (one.text, other.text),
        (folds[0], folds[1]),
        (consonants(folds[0]), consonants(folds[1])),
        written,
        OSA.distance(*folds, score_cutoff=FURTHEST),
        known=bool(one.count and other.count),
    )


def _initial(one: Token, other: Token, group: Group) -> Likeness | None:
    if group == "thing" or not stands_for(one.text, other.text):
        return None
    return Likeness(INITIAL, "initial")


def _abbreviated(one: Token, other: Token, group: Group) -> Likeness | None:
    """One token begins the other: a stem and its ending (`Iran`, `Iranian`), or a name cut off."""
    similarity = begins(one.text, other.text)
    if not similarity:
        return None
    short, long = sorted((len(one.text), len(other.text)))
    if group == "thing" and long - short <= LONGEST_ENDING:
        return Likeness(STEM, "abbreviation")
    return Likeness(similarity, "abbreviation") if group == "thing" or short > 4 else None


def begins(one: str, other: str) -> float:
    """Return how like two tokens are of which one begins the other, 0 where neither does."""
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or not long.startswith(short):
        return 0.0
    return max(PREFIX, len(short) / len(long))


def _better(one: Likeness | None, other: Likeness) -> Likeness:
    return one if one and one.similarity >= other.similarity else other
