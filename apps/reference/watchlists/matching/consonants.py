"""Whether names of which one is written without vowels agree by more than chance. Pure.

Consonants alone tell few names apart: `dwd` is David, Daoud and Diaz. Such a likeness means a
party only where the whole name is written the same (DESIGN.md section 4, What may end in BLOCKED).
"""

from dataclasses import dataclass

from apps.reference.names.scripts.abjad import can_be_read_as
from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.names.words.arabic_names import is_arabic_reading_of, is_frequent_arabic_name
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.word_classes import KIND_WORDS
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing, WeightedName
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_meaning import MANY_PERSONS

_PARENTS = frozenset({"abu", "abou", "umm", "um", "abw"})
_ASSIMILATED = frozenset({"ar", "ur", "as", "us", "ad", "ud", "an", "un", "es", "ed", "en", "er"})
_LONG = 5  # letters of a rare word, and the mark of its script
_ENOUGH = 3  # words of which some may be only near where one is rare


@dataclass(frozen=True, slots=True)
class ConsonantAgreement:
    """How the words agree of which one is written without vowels.

    `equal` and `rare` are of each word in turn; `query_left` and `listed_left` tell whether a name
    has more words that say who it is.
    """

    words: str
    person: bool
    equal: tuple[bool, ...]
    rare: tuple[bool, ...]
    long: bool
    query_left: bool
    listed_left: bool

    def are_enough(self) -> bool:
        """Return whether so much agrees that a human should look."""
        count, near, rare = len(self.equal), self.equal.count(False), any(self.rare)
        # the whole of both names: one word may be only near if three agree (four without a rare
        # one); if all are equal, a rare word or a person's name is enough
        if not (self.query_left or self.listed_left):
            if near:
                return near == 1 and count >= _ENOUGH + (not rare)
            return rare or self.person
        # a part of a name is evidence only if all of it is equal and something in it is rare
        if near or not rare or (self.query_left and self.listed_left):
            return False
        return count >= _ENOUGH or (self.long and not self.query_left and count == _ENOUGH - 1)

    def are_the_name(self) -> bool:
        """Return whether a whole name of several words is written the same, a rare one of them."""
        left = self.query_left or self.listed_left
        return all(self.equal) and any(self.rare) and len(self.equal) >= _ENOUGH and not left


def compare_consonants(alignment: Alignment) -> ConsonantAgreement | None:
    """Return how words agree by their consonants, None where none does."""
    query, listed = alignment.query, alignment.listed
    mixed = [match for match in alignment.matches if _is_mixed_match(alignment, match)]
    telling = [match for match in mixed if not _is_particle_match(alignment, match)]
    if not telling:
        return None
    # what is like an article or a title only is left over
    matches = [match for match in mixed if _pairs_title_with_name(alignment, match)]
    query_left = (*alignment.query_left, *(i for match in matches for i in match.query))
    listed_left = (*alignment.listed_left, *(j for match in matches for j in match.listed))
    rare = tuple(_is_rare_match(alignment, match) for match in telling)
    return ConsonantAgreement(
        words=" ".join(query.tokens[i].text for match in telling for i in match.query),
        person=query.group == "person",
        equal=tuple(_is_equal_reading(alignment, match) for match in telling),
        rare=rare,
        long=any(
            len(_split_by_vowels(alignment, match)[0]) > _LONG
            for match, is_rare in zip(telling, rare, strict=True)
            if is_rare
        ),
        query_left=_has_identifying_words(query, query_left),
        listed_left=_has_identifying_words(listed, listed_left),
    )


def _is_mixed_match(alignment: Alignment, match: TokenPairing) -> bool:
    """Return whether one of two words that agree is written without vowels, and the other with."""
    query, listed = _matched_tokens(alignment, match)
    return query[0].unvowelled != listed[0].unvowelled


def _matched_tokens(alignment: Alignment, match: TokenPairing) -> tuple[list[Token], list[Token]]:
    query, listed = alignment.query.tokens, alignment.listed.tokens
    return [query[i] for i in match.query], [listed[j] for j in match.listed]


def _is_particle_match(alignment: Alignment, match: TokenPairing) -> bool:
    return any(token.particle for side in _matched_tokens(alignment, match) for token in side)


def _pairs_title_with_name(alignment: Alignment, match: TokenPairing) -> bool:
    query, listed = _matched_tokens(alignment, match)
    return any(token.particle for token in query) != any(token.particle for token in listed)


def _is_equal_reading(alignment: Alignment, match: TokenPairing) -> bool:
    """Return whether one word may be how the other is written, letter by letter."""
    unvowelled, latin = _split_by_vowels(alignment, match)
    # a table of frequent names knows better than letters how a name is vowelled
    known = is_arabic_reading_of(unvowelled, latin)
    if known is not None:
        return known
    return can_be_read_as(unvowelled, latin)


def _split_by_vowels(alignment: Alignment, match: TokenPairing) -> tuple[str, str]:
    """Return the word without vowels and that in Latin letters, each run together."""
    sides = sorted(_matched_tokens(alignment, match), key=lambda side: not side[0].unvowelled)
    unvowelled, latin = ("".join(token.text for token in side) for side in sides)
    return unvowelled, latin


def _is_rare_match(alignment: Alignment, match: TokenPairing) -> bool:
    """Return whether few bear a word; the vowels of the other tell whether it is a common name.

    What many listed bodies are called by is their own name.
    """
    tokens = [token for side in _matched_tokens(alignment, match) for token in side]
    vowelled = (token.text for token in tokens if not token.unvowelled)
    if any(map(is_frequent_arabic_name, (token.text for token in tokens))) or any(
        map(is_common_name, vowelled)
    ):
        return False
    person = alignment.query.group == "person"
    return not (person and any(token.shared or token.count >= MANY_PERSONS for token in tokens))


def _has_identifying_words(form: WeightedName, places: tuple[int, ...]) -> bool:
    """Return whether identifying words are left over."""
    return any(_is_identifying_word(form.tokens[i], form) for i in places)


def _is_identifying_word(token: Token, form: WeightedName) -> bool:
    text = token.text.lstrip(ABJAD)
    if text in _PARENTS:
        return True
    if form.group == "thing" and text in KIND_WORDS:
        return False
    return not (token.particle or text in _ASSIMILATED)
