"""Whether all that agrees between two names is one common word, which names nobody. Pure.

A given name is borne by thousands, and an everyday word by a company in every town; a coined word
or a rare one is information (DESIGN.md section 4, What is compared with what).
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from rigour.names import NameTypeTag, analyze_names

from apps.watchlists.matching.alignment import Alignment, Form, Match
from apps.watchlists.matching.everyday import EVERYDAY_WORDS
from apps.watchlists.matching.lexicon import TokenWeights, names_a_line
from apps.watchlists.matching.qualifiers import SAME_BIRTH, Qualifier
from apps.watchlists.matching.similarity import Token
from apps.watchlists.matching.words import KIND_WORDS, PERSON_NAMES

MANY_PERSONS = 10  # who bear a word: more than one family, and one person on several lists
SURE_LETTERS = 6  # a shorter word is like too many others for a likeness to mean it
_SOLID = 0.7
_DRAWN = 2  # Han or Hangul letters, each of which is a word
# `Abd al-`, `Abdul`, `Abdur` are half of a given name, and `Abu` names a father
_SERVANT = re.compile(r"abd([aeiou]*[lrsd])?")
_OF_A_FAMILY = frozenset({"al", "el"})
_KIN = frozenset({"abu", "abou", "aboo", "abi", "bin", "ibn", "bint", "umm"})
_PURPOSES = frozenset({"ngo"})  # what `extract_org_types` takes for a form, and is more than one


def lone_word(*, alignment: Alignment, weights: TokenWeights) -> str:
    """Return the word of the query that alone agrees and is common, else an empty text."""
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _tells(alignment, match)]
    if len(telling) != 1 or len(query.ideographs) > _DRAWN:
        return ""
    if _PURPOSES & set(query.legal) & set(listed.legal):
        return ""
    [match] = telling
    sides = [
        [form.tokens[i] for i in places]
        for form, places in ((query, match.query), (listed, match.listed))
    ]
    told = " ".join(token.text for token in sides[0])
    common = _common_person if query.group == "person" else _common_thing
    # two words that stand as one on the other side are judged as that one
    judged = [side[0] for side in sides if len(side) == 1]
    unsure = match.kind != "exact" and min(len(token.text) for token in judged) < SURE_LETTERS
    return told if unsure or any(common(token, listed, weights) for token in judged) else ""


def borne_out(qualifiers: Iterable[Qualifier]) -> bool:
    """Return whether what is known besides lets one common word mean a listed party.

    A birth date to the day does, the same address, or a birth year beside a nationality; a
    nationality alone, or a city, does not: they are shared by millions.
    """
    found = {one.what: one for one in qualifiers if one.effect > 0}
    birth = found.get("birth_date")
    if "address" in found or (birth is not None and birth.effect >= SAME_BIRTH):
        return True
    return birth is not None and "countries" in found


def _tells(alignment: Alignment, match: Match) -> bool:
    tokens = [alignment.listed.tokens[j] for j in match.listed]
    group = alignment.listed.group
    return match.similarity >= _SOLID and any(
        not token.particle
        and len(token.text) > 1
        and (group == "person" or not _says_no_more(token.text))
        for token in tokens
    )


def _says_no_more(text: str) -> bool:
    """Return whether a word beside a company's name, or a person's in it, adds nothing to it."""
    return text in KIND_WORDS or text in _KIN or bool(_SERVANT.fullmatch(text))


def _common_person(token: Token, listed: Form, weights: TokenWeights) -> bool:
    """Return whether people are called by a word, or it is formed as names of families are.

    An article or a word of kinship beside it (`al-`, `Abu`) makes a name of a family or a father,
    which many share; a title does not.
    """
    if token.unvowelled or token.text in PERSON_NAMES or token.shared:
        return True
    if token.count >= MANY_PERSONS:
        return True
    shared = any(one.text in _KIN | _OF_A_FAMILY for one in listed.tokens)
    return shared or _is_person_name(token.text)


@lru_cache(maxsize=4096)
def _is_person_name(text: str) -> bool:
    """Return whether a dictionary of names of persons has the word."""
    names = analyze_names(NameTypeTag.PER, [text], phonetics=False)
    return any(symbol.category.value == "NAME" for name in names for symbol in name.symbols)


def _common_thing(token: Token, listed: Form, weights: TokenWeights) -> bool:
    """Return whether very many companies may be called by a word.

    Of names of persons those that everybody knows, or many listed persons bear, or that are half
    of a given name: a dictionary of all surnames has half of the coined words too.
    """
    text = token.text
    if len(text) < 3 or text.isdigit() or token.place:
        return True
    if text in EVERYDAY_WORDS or text in PERSON_NAMES or names_a_line(text):
        return True
    if token.shared == "abdul" or any(_SERVANT.fullmatch(one.text) for one in listed.tokens):
        return True
    return weights.facts(token=text, group="person").count >= MANY_PERSONS
