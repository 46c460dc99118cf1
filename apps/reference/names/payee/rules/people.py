"""Rules of two people's names: order, titles, initials, short forms, what lacks or differs."""

from itertools import pairwise, repeat

from apps.reference.names.payee.alignment import WordMatch
from apps.reference.names.payee.compared_names import JOINING, ComparedName
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.nicknames import is_given_name
from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.rules.charge import Charge, Rule
from apps.reference.names.payee.trailing_places import count_trailing_country_words
from apps.reference.names.payee.values import How
from apps.reference.names.scripts.korean_chinese_syllables import is_syllabic_name

_NEVER = 30
_KINDS_OF_ACCOUNTS = """
ira roth sep 401k isa sipp utma ugma tod pod hsa rrsp tfsa smsf
"""
ACCOUNTS = frozenset(_KINDS_OF_ACCOUNTS.split())
"""Kinds of accounts written after their holder's name: held for or paid to another person."""
_DESCENT = frozenset({"bin", "ibn", "ben", "bint", "binti", "ould"})
_LEAST_WHOLE = 2  # words that tell a person: a given and a family name
_PET_COSTS: dict[How, int] = {"pet": 20, "cousins": 26}


def _charge_name_order(facts: PairFacts) -> Charge | None:
    """Family name first is usual; two given names, or three names otherwise, are rather others'."""
    places = [b for _a, b in sorted(facts.whole)]
    falls = sum(one > other for one, other in pairwise(places))
    if not falls:
        return None
    # one fall, and the last word in front: the family name comes first
    turned = places[0] > places[-1]
    if falls > 1 or not turned:
        return Charge(14)
    swapped = len(places) == _LEAST_WHOLE and all(map(_are_all_given_names, facts.sides))
    return Charge(12 if swapped else 4)


def _are_all_given_names(side: ComparedName) -> bool:
    words = [side.words[i].plain for i in side.content]
    return all(map(is_given_name, words)) and not is_syllabic_name(tuple(words))


def _charge_title_difference(facts: PairFacts) -> Charge | None:
    """An extra title means nothing; `Mr` and `Mrs` are two people, whatever their names."""
    one, other = (side.name for side in facts.sides)
    if one.address and other.address and one.address != other.address:
        return Charge(40)
    return Charge(2) if one.titled != other.titled else None


def _charge_generation_difference(facts: PairFacts) -> Charge | None:
    one, other = facts.submitted.name.suffix, facts.registered.name.suffix
    (son, father), (his_son, his_father) = map(_find_descent, facts.sides)
    if {(son, his_father), (father, his_son)} <= set(facts.whole):
        return Charge(most=_NEVER)  # `Ahmed bin Khalid` is no `Khalid bin Ahmed`
    if one == other:
        return None
    return Charge(most=_NEVER) if one and other else Charge(27)


def _find_descent(side: ComparedName) -> tuple[int, int]:
    """Return the positions of a name and of the father's after it (`bin`); -1 if there is none."""
    for place in range(1, len(side.words) - 1):
        if side.words[place].plain in _DESCENT and side.roles[place] == "particle":
            return place - 1, place + 1
    return -1, -1


def _charge_extra_particle(facts: PairFacts) -> Charge | None:
    if any(side.name.unvowelled for side in facts.sides):
        return None  # articles are parts of words there
    left = [
        i
        for side, other in (facts.sides, facts.sides[::-1])
        for i in side.left
        if side.roles[i] == "particle" and not _is_written_as_sign(side.words[i].plain, other)
    ]
    return Charge(11) if left else None


def _is_written_as_sign(word: str, other: ComparedName) -> bool:
    """Return whether a word for `and` is a sign in the other name (`Johnson & Johnson`)."""
    return word in JOINING and any(sign in other.name.text for sign in "&+")


def _charge_pet_name(facts: PairFacts) -> Charge | None:
    cost = sum(_PET_COSTS.get(how, 0) for how in facts.hows)
    return Charge(cost) if cost else None


def _charge_gender_difference(facts: PairFacts) -> Charge | None:
    count = facts.hows.count("gender")
    if any(map(_is_husbands_name, facts.alignment.matches, repeat(facts))):
        return Charge(most=_NEVER)
    return Charge(40 * count) if count else None


def _is_husbands_name(match: WordMatch, facts: PairFacts) -> bool:
    """Return whether a wife is called by her husband's name (`Nagy Istvánné`, `Nagy István`)."""
    one, other = (
        facts.submitted.words[match.submitted[0]],
        facts.registered.words[match.registered[0]],
    )
    return any(
        wife.written.lower() == f"{husband.written.lower()}né"
        for wife, husband in ((one, other), (other, one))
    )


def _charge_initials(facts: PairFacts) -> Charge | None:
    """An initial for the given name is usual, one for a middle name costs little."""
    if "initial" not in facts.hows:
        return None
    if not facts.whole:
        return Charge(most=20)
    firsts = []
    for match in facts.alignment.matches:
        if match.likeness.how != "initial":
            continue
        one, other = match.submitted[0], match.registered[0]
        here = facts.submitted.words[one].is_initial
        side, place = (facts.registered, other) if here else (facts.submitted, one)
        before = sum(i < place for i in side.content)
        firsts.append((before, len(side.content) - 1))
    # initials of middle names only: neither the first nor the last of the content words
    if all(0 < a < b for a, b in firsts):
        return Charge(11)
    family = len(firsts) == 1 and any(a == b and a > 0 for a, b in firsts)
    return Charge(45 if family else 22 + 3 * len(firsts))


def _charge_different_name(facts: PairFacts) -> Charge | None:
    """Given or family names that differ are two people's; middle names may be of one."""
    differ = facts.is_contradiction or "slips" in facts.hows
    if differ and all(map(_has_syllabic_words, facts.sides)):
        return Charge(most=_NEVER)  # two syllables are one given name there, other ones another
    if "slip" in facts.hows and all(map(_has_syllabic_words, facts.sides)):
        return Charge(10)
    if not facts.is_contradiction:
        return None
    middles = [_are_middle_names(side) for side in facts.sides]
    if all(middles) and len(facts.whole) >= _LEAST_WHOLE:
        return Charge(40)
    return Charge(most=_NEVER)


def _has_syllabic_words(side: ComparedName) -> bool:
    return is_syllabic_name(tuple(side.words[i].plain for i in side.content))


def _are_middle_names(side: ComparedName) -> bool:
    edges = {side.content[0], side.content[-1]}
    return not edges & set(side.content_left)


def _charge_omitted_words(facts: PairFacts) -> Charge | None:
    """What one name lacks: a middle name, a part of a double one, or all but one word."""
    if not facts.is_omission or not facts.hows:
        return None
    longer, shorter = facts.longer, facts.shorter
    if len(facts.hows) == 1 and len(shorter.content) == 1:
        return _charge_single_word(facts)
    if _ends_with_country_or_account(longer):
        return Charge(40)
    if _are_middle_names(longer):
        return Charge(15 + 3 * (len(longer.content_left) - 1))
    # what is left over is joined by a hyphen to what agrees
    left = set(longer.content_left)
    is_half_of_double_name = all(
        (longer.words[i].linked and i - 1 not in left)
        or (i + 1 < len(longer.words) and longer.words[i + 1].linked and i + 1 not in left)
        for i in left
    )
    if is_half_of_double_name:
        return Charge(26)
    if longer.content[-1] in longer.content_left and _are_all_given_names(shorter):
        return Charge(45)  # all that is left are given names
    first = longer.content[0] in longer.content_left
    return Charge((24 if first else 20) + 6 * (len(longer.content_left) - 1))


def _ends_with_country_or_account(side: ComparedName) -> bool:
    """Return whether the rest is a country after the name, or a kind of account."""
    left = list(side.content_left)
    if left != list(side.content[-len(left) :]):
        return False
    words = [side.words[i].plain for i in left]
    return count_trailing_country_words(words) == len(words) or ACCOUNTS.issuperset(words)


def _charge_single_word(facts: PairFacts) -> Charge:
    """A family name alone says little, a given name alone hardly anything."""
    longer, shorter = facts.longer, facts.shorter
    word = shorter.words[shorter.content[0]].plain
    last = longer.content[-1] not in longer.content_left
    if last and not is_common_given_name(word):
        return Charge(60)
    return Charge(most=_NEVER)


def _charge_sole_trader(facts: PairFacts) -> Charge | None:
    """A sole trader is the person of that name."""
    one, other = (side.name.legal for side in facts.sides)
    return Charge(5) if one != other else None


RULES = (
    Rule("P.20", "The names are in a different order", "order", "people", _charge_name_order),
    Rule("P.21", "A title differs or is missing", "titles", "people", _charge_title_difference),
    Rule(
        "P.22",
        "A junior or senior suffix differs or is missing, or son and father are exchanged",
        "another person",
        "people",
        _charge_generation_difference,
    ),
    Rule("P.23", "A particle is missing", "particles", "people", _charge_extra_particle),
    Rule(
        "P.24",
        "The given name is a short form or nickname",
        "short forms",
        "people",
        _charge_pet_name,
    ),
    Rule(
        "P.25",
        "The given names are similar but different",
        "near names",
        "people",
        _charge_gender_difference,
    ),
    Rule("P.26", "An initial replaces a name", "initials", "people", _charge_initials),
    Rule(
        "P.27", "A given or family name differs", "another person", "people", _charge_different_name
    ),
    Rule("P.28", "A name is missing", "left out", "people", _charge_omitted_words),
    Rule(
        "P.29",
        "One name has a sole trader's legal form",
        "legal forms",
        "people",
        _charge_sole_trader,
    ),
)
