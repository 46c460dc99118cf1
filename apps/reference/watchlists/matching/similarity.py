"""How alike two tokens are, and why: the same word, a misspelling, a transliteration, …"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from apps.reference.names.scripts.korean_chinese_syllables import (
    is_syllabic_name,
    is_syllabic_word,
    normalize_korean_syllables,
)
from apps.reference.names.scripts.phonetics import (
    ABJAD,
    compute_sound_key,
    consonant_skeleton,
    extract_consonants,
    fold_sounds,
)
from apps.reference.names.words.slavic_initials import is_initial_of
from apps.reference.names.words.slavic_person_names import find_slavic_name_number
from apps.reference.names.words.word_classes import COMMON_PERSON_NAMES
from apps.reference.watchlists.matching.arabic_compound_parts import split_arabic_compound
from apps.reference.watchlists.matching.edit_costs import (
    FURTHEST,
    LEAST,
    RESPELT,
    SLOPE,
    VOWEL,
    TokenLikeness,
    compute_distance_matrix,
    compute_paired_distances,
    price_edits,
)
from apps.reference.watchlists.matching.name_normalization import Group
from apps.reference.watchlists.matching.skeletons import compare_skeletons, compute_bones
from apps.reference.watchlists.matching.slavic_names import match_slavic_spellings
from apps.reference.watchlists.matching.token_weights import TokenFacts, TokenWeights
from apps.reference.watchlists.matching.transcriptions import HEARD, match_by_sound

INITIAL, SAME_SENSE, OTHER_SYLLABLE = 0.84, 0.88, 0.82
HALF_COMPOUND = 0.76  # `Rahman`, `Abd al-Rahman`
SHARED_LETTERS = 2  # what the shared word of two compounds adds to their likeness
HEARD_TOKENS = 16_384  # whose sound a process keeps
SHORTEST_BEGINNING = 4  # letters of a token that begins another
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
Likenesses = Mapping[tuple[str, str], TokenLikeness]
_EXACT = TokenLikeness(1.0, "exact")
_SENSE = TokenLikeness(SAME_SENSE, "sense")
_SAME_SYLLABLES = TokenLikeness(0.93, "transliteration")


def build_token(*, text: str, group: Group, weights: TokenWeights) -> Token:
    """Return the token with its sound and its facts."""
    return build_token_from_facts(text=text, facts=weights.facts(token=text, group=group))


@lru_cache(maxsize=HEARD_TOKENS)
def compute_sound(text: str) -> Sound:
    """Return fold, bones and sound key of a token."""
    fold = fold_sounds(text.lstrip(ABJAD))
    bones = consonant_skeleton(text) if text[0] == ABJAD else extract_consonants(fold)
    return fold, bones, compute_sound_key(fold)


def build_token_from_facts(*, text: str, facts: TokenFacts, sound: Sound | None = None) -> Token:
    """Return the token with its sound, unless that is known already, and the facts given."""
    fold, bones, key = sound or compute_sound(text)
    shared, stem = split_arabic_compound(text)
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


def compare_tokens(*, left: Sequence[Token], right: Sequence[Token], group: Group) -> Likenesses:
    """Return the likeness of each pair of tokens that are alike at all, keyed by their texts."""
    if not (left and right):
        return {}
    written = compute_distance_matrix(
        [token.text for token in left], [token.text for token in right]
    )
    distance_matrix = compute_distance_matrix(
        [token.fold for token in left], [token.fold for token in right]
    )
    person = group == "person"
    drawn = person and is_syllabic_name(tuple(token.text for token in left))
    mixed = _unvowelled_mask(left)[:, None] != _unvowelled_mask(right)
    near = np.minimum(written, distance_matrix) <= FURTHEST
    found: dict[tuple[str, str], TokenLikeness] = {}
    compared = near | _comparable_mask(left, right, person=person, drawn=drawn)
    skeletal = _skeleton_similarities(left, right) if mixed.any() else written
    compared = np.where(mixed, skeletal > 0, compared)
    for i, j in zip(*(places.tolist() for places in compared.nonzero()), strict=True):
        one, other = left[i], right[j]
        if one.text[0] == HEARD:
            continue
        if mixed[i, j]:
            likeness: TokenLikeness | None = TokenLikeness(skeletal[i, j].item(), "skeleton")
        elif near[i, j]:
            likeness = _compare_near_tokens(
                one, other, int(written[i, j]), int(distance_matrix[i, j]), group
            )
        else:
            likeness = _compare_far_tokens(one, other, group)
        # tokens that are written alike need no correction
        if person and written[i, j]:
            likeness = _correct_person_likeness(
                one, other, likeness, drawn=drawn, same=not distance_matrix[i, j]
            )
        if likeness:
            found[one.text, other.text] = likeness
    for one in left:
        if one.text[0] == HEARD:
            found |= match_by_sound(one.text, [other.text for other in right])
        elif person and (row := find_slavic_name_number(one.text)):
            found |= match_slavic_spellings(one.text, row, [other.text for other in right])
    return found


def _unvowelled_mask(tokens: Sequence[Token]) -> "NDArray[np.bool_]":
    return np.array([token.unvowelled for token in tokens])


def _skeleton_similarities(
    tokens: Sequence[Token], right: Sequence[Token]
) -> "NDArray[np.float64]":
    return compare_skeletons(
        *([compute_bones(token.text) for token in side] for side in (tokens, right))
    )


def _comparable_mask(
    tokens: Sequence[Token], right: Sequence[Token], *, person: bool, drawn: bool
) -> "NDArray[np.bool_]":
    """Return which pairs may be alike though they are many edits apart: most are not."""
    if drawn:
        return np.ones((len(tokens), len(right)), dtype=np.bool_)
    texts = [token.text[:SHORTEST_BEGINNING] for token in (*tokens, *right)]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    beginnings = np.array([numbers[text] for text in texts])
    ours, theirs = (
        np.array([len(token.text) == 1 or bool(token.stem) for token in side])
        for side in (tokens, right)
    )
    one, other = beginnings[: len(tokens)], beginnings[len(tokens) :]
    meant, means = (np.array([bool(token.senses) for token in side]) for side in (tokens, right))
    found: NDArray[np.bool_] = (one[:, None] == other) | (meant[:, None] & means)
    return found | ours[:, None] | theirs if person else found


def estimate_similarities(
    *,
    tokens: Sequence[Token],
    texts: Sequence[str],
    folds: Sequence[str],
    bones: Sequence[str],
) -> "NDArray[np.float64]":
    """Estimate the similarity of each token to the listed one at its position; 0 if unlike.

    Only edits count, not what may tell two words apart: the estimate is never much too low.
    Both tokens of a pair must be of one kind of script.
    """
    sought = [token.text for token in tokens]
    written = compute_paired_distances(sought, texts)
    paired_distances = compute_paired_distances([token.fold for token in tokens], folds)
    consonantal = compute_paired_distances([token.bones for token in tokens], bones)
    cost = consonantal + VOWEL * np.maximum(paired_distances - consonantal, 0)
    # the cheaper of the two prices of a respelling, as this estimate must not be too low
    cost[paired_distances == 0] = RESPELT
    longest = np.maximum(list(map(len, sought)), list(map(len, texts)))
    similarity = 1 - SLOPE * np.minimum(cost, written) / longest
    similarity[(np.minimum(written, paired_distances) > FURTHEST) | (similarity < LEAST)] = 0.0
    if any(map(str.isdigit, sought)):
        similarity[np.array([one.isdigit() for one in sought]) & (written > 0)] = 0.0
    return similarity


def _correct_person_likeness(
    token: Token, other: Token, token_likeness: TokenLikeness | None, *, drawn: bool, same: bool
) -> TokenLikeness | None:
    """Return the likeness of two names of persons, corrected for syllables and compounds."""
    if len(token.text) == 1 or len(other.text) == 1 or token.unvowelled or other.unvowelled:
        return token_likeness
    if token.particle != other.particle:
        return None  # `al` is no slip for `Ali`
    if drawn and other.text.isalpha() and is_syllabic_word(other.text):
        if same or (
            normalize_korean_syllables(token.text)
            and normalize_korean_syllables(token.text) == normalize_korean_syllables(other.text)
        ):
            return _SAME_SYLLABLES
        similarity = token_likeness.similarity * OTHER_SYLLABLE if token_likeness else 0.0
        return (
            TokenLikeness(similarity, token_likeness.kind)
            if token_likeness and similarity >= LEAST
            else None
        )
    return (
        _compare_compounds(token, other, token_likeness)
        if token.stem or other.stem
        else token_likeness
    )


def _compare_compounds(
    token: Token, other: Token, token_likeness: TokenLikeness | None
) -> TokenLikeness | None:
    """Return the likeness of two names of which one or both are compounds, by what tells them."""
    # `Abdul…` and `…uddin`: neither shared word can be left out for the other
    if token.shared != other.shared and token.shared and other.shared:
        return token_likeness
    left, right = token.stem or token.text, other.stem or other.text
    folds = fold_sounds(left), fold_sounds(right)
    stems = price_edits(
        (left, right),
        folds,
        (extract_consonants(folds[0]), extract_consonants(folds[1])),
        OSA.distance(left, right, score_cutoff=FURTHEST),
        OSA.distance(*folds, score_cutoff=FURTHEST),
        known=bool(token.count and other.count),
        beside=SHARED_LETTERS if token.shared == other.shared else 0,
    )
    if token.shared == other.shared:
        return stems
    similarity = stems.similarity * HALF_COMPOUND if stems else 0.0
    if stems and similarity >= LEAST:
        return _select_better_likeness(token_likeness, TokenLikeness(similarity, "abbreviation"))
    return token_likeness


def _compare_near_tokens(
    token: Token, other: Token, written: int, heard: int, group: Group
) -> TokenLikeness | None:
    if written == 0:
        return _EXACT
    if token.text.isdigit() or other.text.isdigit():
        return None
    if len(token.text) == 1 or len(other.text) == 1:
        return _compare_initial(token, other, group)
    best = _compare_by_edits(token, other, written, heard, group)
    # two words whose meanings are known agree by them or not at all, however they are spelt
    if token.senses and other.senses:
        best = _select_better_likeness(best, _SENSE) if token.senses & other.senses else None
    return best or _compare_abbreviation(token, other, group)


def _compare_far_tokens(token: Token, other: Token, group: Group) -> TokenLikeness | None:
    if len(token.text) == 1 or len(other.text) == 1:
        return _compare_initial(token, other, group)
    if token.senses & other.senses:
        return _SENSE
    return _compare_abbreviation(token, other, group)


def _compare_by_edits(
    one: Token, other: Token, written: int, heard: int, group: Group
) -> TokenLikeness | None:
    if one.common and other.common and one.bones != other.bones:
        return None  # two names that everybody knows: neither is a slip for the other
    if group == "person" and ("q" in one.text) != ("q" in other.text):
        # price the edits of two names of which one has a `q`, which others write `g` or `gh`
        folds = tuple(
            fold_sounds(token.text.replace("gh", "q").replace("g", "q")) for token in (one, other)
        )
        return price_edits(
            (one.text, other.text),
            (folds[0], folds[1]),
            (extract_consonants(folds[0]), extract_consonants(folds[1])),
            written,
            OSA.distance(*folds, score_cutoff=FURTHEST),
            known=bool(one.count and other.count),
        )
    return price_edits(
        (one.text, other.text),
        (one.fold, other.fold),
        (one.bones, other.bones),
        written,
        heard,
        known=bool(one.count and other.count and not one.senses & other.senses),
    )


def _compare_initial(token: Token, other: Token, group: Group) -> TokenLikeness | None:
    if group == "thing" or not is_initial_of(token.text, other.text):
        return None
    return TokenLikeness(INITIAL, "initial")


def _compare_abbreviation(token: Token, other: Token, group: Group) -> TokenLikeness | None:
    """One token begins the other: a stem and its ending (`Iran`, `Iranian`), or a name cut off."""
    similarity = score_beginning(token.text, other.text)
    if not similarity:
        return None
    short, long = sorted((len(token.text), len(other.text)))
    if group == "thing" and long - short <= LONGEST_ENDING:
        return TokenLikeness(STEM, "abbreviation")
    return TokenLikeness(similarity, "abbreviation") if group == "thing" or short > 4 else None


def score_beginning(one: str, other: str) -> float:
    """Return how like two tokens are of which one begins the other, 0 where neither does."""
    short, long = sorted((one, other), key=len)
    if len(short) < SHORTEST_BEGINNING or not long.startswith(short):
        return 0.0
    return max(PREFIX, len(short) / len(long))


def _select_better_likeness(
    token_likeness: TokenLikeness | None, other: TokenLikeness
) -> TokenLikeness:
    return (
        token_likeness
        if token_likeness and token_likeness.similarity >= other.similarity
        else other
    )
