"""What single words of names tell: names that many bear, everyday words, empty ones. Pure."""

import re

from apps.reference.names.words.arabic_names import is_frequent_arabic_name
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.everyday_words import EVERYDAY_WORDS
from apps.reference.names.words.word_classes import (
    KIND_WORDS,
    LONG_LEGAL_WORDS,
    PERSON_NAMES,
    SHORT_LEGAL_WORDS,
    TWO_LETTER_FORMS,
)
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing, WeightedName
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_weights import TokenWeights, is_business_term
from apps.reference.watchlists.matching.transcriptions import HEARD

MANY_PERSONS = 10  # who bear a word: more than one family, and one person on several lists
SURE_LETTERS = 6  # a shorter word is like too many others for a likeness to mean it
_SOLID = 0.7
ONE_SLIP = 0.8  # words of six letters or more that are less alike differ in more than one
AS_HEARD = frozenset({"exact", "transliteration", "phonetic"})
AS_MISTAKEN = frozenset({"edit", "phonetic"})
DRAWN = 2  # Han or Hangul letters, each of which is a word
# `Abd al-`, `Abdul`, `Abdur` are half of a given name, and `Abu` names a father
_SERVANT = re.compile(r"abd([aeiou]*[lrsd])?")
OF_A_FAMILY = frozenset({"al", "el"})
KIN = frozenset({"abu", "abou", "aboo", "abi", "bin", "ibn", "bint", "umm"})
LEGAL_FORMS = frozenset((*SHORT_LEGAL_WORDS, *LONG_LEGAL_WORDS, *TWO_LETTER_FORMS))
MOST_TRADE_WORDS = 4  # more that agree are hardly ever another body's
BODY_WORDS = frozenset({"corps", "force", "organisation"})  # which of a body's names say little
# what armed bodies and parties are called: beside the name of one they make no other
_ARMED = """
army brigade brigades fighters forces front gang guard jihad militants militia movement network
organization party resistance
"""
ARMED_BODIES = frozenset(_ARMED.split())
OF_LEGAL_FORMS = frozenset({"foreign", "closed"})  # `Foreign Limited Liability Company`
WHOLE = 3  # words, of whatever kind, that are a name of their own where all agree
FEW = 2  # words that are common by themselves, and together still; and a trade beside


def is_widespread_name(token: Token) -> bool:
    if token.shared or token.count >= MANY_PERSONS:
        return True
    return is_common_name(token.text.lstrip(HEARD)) or (
        token.unvowelled and is_frequent_arabic_name(token.text)
    )


def matches_meaningful_word(alignment: Alignment, match: TokenPairing) -> bool:
    tokens = [alignment.listed.tokens[j] for j in match.listed]
    group = alignment.listed.group
    return match.similarity >= _SOLID and any(
        not token.particle
        and len(token.text) > 1
        and (group == "person" or not is_empty_word(token.text))
        for token in tokens
    )


def is_empty_word(text: str) -> bool:
    """Return whether a word next to a company's name, or a person's in it, adds nothing to it."""
    return text in KIND_WORDS or text in KIN or bool(_SERVANT.fullmatch(text))


def is_common_thing_word(token: Token, listed: WeightedName, weights: TokenWeights) -> bool:
    """Return whether very many companies may be called by a word.

    Of names of persons those that everybody knows, or many listed persons bear, or that are half
    of a given name: a dictionary of all surnames has half of the coined words too.
    """
    text = token.text
    if len(text) < 3 or text.isdigit() or token.place:
        return True
    if text in EVERYDAY_WORDS or text in PERSON_NAMES or is_business_term(text):
        return True
    if token.shared == "abdul" or any(_SERVANT.fullmatch(one.text) for one in listed.tokens):
        return True
    return weights.facts(token=text, group="person").count >= MANY_PERSONS
