"""Judges whether a longer name bears a listed one, and finds where a near hit says that it may.

`Viktor Bout Logistics` bears the name of a listed person, `Hamas Relief Fund` that of a listed
group: by the rest of its words each is another party, and a human must see it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.reference.names.field.word_tests import has_digit, is_undistinctive_word, split_words
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.everyday_words import TRADE_WORDS
from apps.reference.names.words.word_classes import COMMON_PERSON_NAMES, PERSON_NAMES
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.alignment import (
    WeightedName,
    align_tokens,
    build_weighted_name,
)
from apps.reference.watchlists.matching.index import Hit, MatchIndex
from apps.reference.watchlists.matching.name_normalization import (
    Group,
    group_of_schema,
    normalize_name,
)
from apps.reference.watchlists.matching.similarity import compare_tokens
from apps.reference.watchlists.matching.thresholds import MATCH
from apps.reference.watchlists.matching.token_weights import (
    has_place_sense,
    is_business_term,
    senses_of_token,
)

AS_LISTED = 0.9  # score from which a run is the listed name, not one like it
NAMED = MATCH  # from which two names of a person are that person's: middle names are left out
_COMMONLY = 0.86  # the same where a given name is one that many bear; a middle name costs less
LONG_TEXT, LONGER_TEXT = 5, 7  # words from which any name, any single word, is told in a text
_LEAST_LETTERS = 4  # of a group's name of one word


@dataclass(frozen=True, slots=True)
class RunContext:
    """The context of a run of words: the length of the text, and whether it names a company.

    `shop` when it names one by its trade: a restaurant that plays on a word is not the syndicate.
    `person` is what is left where all else is a place or a word of payments (`… Minsk`).
    """

    words: int
    company: bool
    shop: bool = False
    person: str = ""

    def may_name(self, group: Group) -> bool:
        """Return whether a run can be a name of this group; a person's not in a short text.

        Such a text is compared as one name: another given name makes another person.
        """
        return group == "thing" or self.company or self.words >= LONG_TEXT


def is_name_of_hit(*, run: Sequence[str], beside: RunContext, hit: Hit, schema: Schema) -> bool:
    """Return whether a run of words is so surely the name of a hit that a human must see it.

    A single word must be the whole name of a group, and no given name: ships, companies and
    people are called by words. A common given name makes more who are called so.
    """
    group = group_of_schema(schema)
    if schema == "Person" and " ".join(run) == beside.person:
        return hit.score >= NAMED
    if not beside.may_name(group):
        return False
    size = len(normalize_name(name=hit.name, group=group).tokens)
    if schema == "Person" and beside.company and len(run) > 1:
        if size > len(run) and all(map(is_common_name, run)):
            return False  # `Ali Saleh Ltd` is not Ali Mohammad Saleh's more than another's
        return hit.score >= (NAMED if COMMON_PERSON_NAMES.isdisjoint(run) else _COMMONLY)
    # a designation is written in many ways, so one that is only similar is still that body
    least = NAMED if len(run) == 1 and is_designation(run[0]) else AS_LISTED
    if hit.score < least or size > len(run):
        return False  # `Real Estate` is not the Real Estate Bank
    # an aircraft is listed by its tail number, which is one word and unmistakable
    if len(run) > 1 or (schema == "Aircraft" and has_digit(run[0])):
        return True
    if beside.words >= LONGER_TEXT:
        return schema not in ("Vessel", "Aircraft")
    told = is_designation(run[0]) or not beside.shop
    return told and _is_group_name(hit.name, schema) and _is_distinctive_word(run[0])


def is_shop_name(text: str) -> bool:
    """Return whether a text names a business by its trade (`Pizzeria`, `Sushi Bar`)."""
    return not TRADE_WORDS.isdisjoint(split_words(text.lower()))


def _is_group_name(name: str, schema: Schema) -> bool:
    """Return whether a listed name is one word without a legal form, as those of groups are."""
    return schema == "Organization" and len(split_words(name)) == 1


def _is_distinctive_word(word: str) -> bool:
    return (
        len(word) >= _LEAST_LETTERS and word not in PERSON_NAMES and not is_undistinctive_word(word)
    )


def find_designations(text: str) -> list[str]:
    """Return the words of a text that name a listed body however they are spelt (`Hezbollah`)."""
    return [word for word in split_words(text.lower()) if is_designation(word)]


def is_designation(word: str) -> bool:
    """Return whether the dictionary knows a word as one body's name, and as no word of business."""
    senses = senses_of_token(token=word, group="thing")
    return bool(senses) and not has_place_sense(senses) and not is_business_term(word)


def iter_agreeing_runs(
    *, index: MatchIndex, text: str, hits: Iterable[Hit], beside: RunContext
) -> Iterator[str]:
    """Yield the run of words of a text that matches a hit, if there are other words as well.

    The hits are those of the whole text, too low by themselves.
    """
    forms: dict[Group, WeightedName] = {}
    for hit in hits:
        schema = index.entity(hit.position).schema
        group = group_of_schema(schema)
        if not beside.may_name(group):
            continue
        if group not in forms:
            forms[group] = build_weighted_name(name=text, group=group, weights=index.weights)
        run = _find_agreeing_words(index, forms[group], hit)
        if len(run) > 1 or (
            run and _is_group_name(hit.name, schema) and _is_distinctive_word(run[0])
        ):
            yield " ".join(run)


def _find_agreeing_words(index: MatchIndex, query: WeightedName, hit: Hit) -> list[str]:
    """Return the neighbouring words that a hit agrees with; empty if all do, or others between.

    A person may have further names on the list, anything else has none.
    """
    group = query.group
    listed = build_weighted_name(name=hit.name, group=group, weights=index.weights)
    if group == "thing" and len(listed.tokens) >= len(query.tokens):
        return []
    alike = compare_tokens(left=query.tokens, right=listed.tokens, group=group)
    found = align_tokens(query=query, listed=listed, likenesses=alike)
    places = sorted(place for match in found.matches for place in match.query)
    whole = group == "person" or not found.listed_left
    # the words must be neighbours, and not the whole query
    if not whole or not places or not places[-1] - places[0] < len(places) < len(query.tokens):
        return []
    return [query.tokens[place].text for place in places]
