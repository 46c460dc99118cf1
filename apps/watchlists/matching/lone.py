"""Whether what agrees between two names is too little information to mean one party. Pure.

A given name is borne by thousands, and an everyday word by a company in every town; a coined word
or a rare one is information (DESIGN.md section 4, What is compared with what).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rigour.names import NameTypeTag, analyze_names

from apps.names.scripts.syllables import is_syllabic, syllabic
from apps.names.words.everyday import EVERYDAY_WORDS, TRADE_WORDS
from apps.names.words.general import KIND_WORDS, PERSON_NAMES
from apps.watchlists.matching.alignment import Alignment, Form, Match
from apps.watchlists.matching.lexicon import TokenWeights, names_a_line
from apps.watchlists.matching.qualifiers import SAME_BIRTH, Qualifier
from apps.watchlists.matching.similarity import Token

MANY_PERSONS = 10  # who bear a word: more than one family, and one person on several lists
SURE_LETTERS = 6  # a shorter word is like too many others for a likeness to mean it
_SOLID = 0.7
_DRAWN = 2  # Han or Hangul letters, each of which is a word
# `Abd al-`, `Abdul`, `Abdur` are half of a given name, and `Abu` names a father
_SERVANT = re.compile(r"abd([aeiou]*[lrsd])?")
_OF_A_FAMILY = frozenset({"al", "el"})
_KIN = frozenset({"abu", "abou", "aboo", "abi", "bin", "ibn", "bint", "umm"})
_PURPOSES = frozenset({"ngo"})  # what `extract_org_types` takes for a form, and is more than one
_SHORT_FORM = 5  # letters of an abbreviation that stands beside the whole name
_WHOLE = 3  # words, of whatever kind, that are a name of their own where all agree
_FEW = 2  # words that are common by themselves, and together still; and a trade beside


@dataclass(frozen=True, slots=True)
class Thin:
    """Why what agrees is too little, as `rules.BOUNDS` has it, and the words of it."""

    code: str
    words: str


def thin(*, alignment: Alignment, weights: TokenWeights) -> Thin | None:
    """Return why what agrees is too little to mean the listed party, None where it is enough."""
    person = alignment.query.group == "person"
    for code, words in (
        ("one_word", _lone_word(alignment, weights)),
        ("half_name", _half_name(alignment) if person else ""),
        ("business", _business(alignment) if person else ""),
        ("common_words", "" if person else _common_words(alignment, weights)),
    ):
        if words:
            return Thin(code, words)
    return None


def _half_name(alignment: Alignment) -> str:
    """Return a Korean or Chinese name of fewer syllables than the listed one has."""
    tokens, listed = alignment.query.tokens, alignment.listed
    left = [listed.tokens[j] for j in alignment.listed_left]
    whole = is_syllabic(tuple(token.text for token in tokens)) and not alignment.query_left
    half = whole and any(syllabic(token.text) for token in left if len(token.text) > 1)
    return " ".join(token.text for token in tokens) if half else ""


def _business(alignment: Alignment) -> str:
    """Return the word that says that the query is a business, where the listed one is a person.

    A company that bears a person's name is not that person; its owner is for a human to find.
    """
    tokens = alignment.query.tokens
    same = {i for match in alignment.matches if match.kind == "exact" for i in match.query}
    words = (token.text for i, token in enumerate(tokens) if i not in same)
    said = (word for word in words if len(word) > 2)
    return next(
        (word for word in said if word in TRADE_WORDS | KIND_WORDS or names_a_line(word)), ""
    )


def _common_words(alignment: Alignment, weights: TokenWeights) -> str:
    """Return the two common words of a thing that agree, where either name has others beside.

    One that says the trade may agree as well (`Blue Sky Aviation`); of several each is of a title.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _tells(alignment, match)]
    beside = [query.tokens[i] for i in alignment.query_left]
    beside += [listed.tokens[j] for j in alignment.listed_left]
    words = [[listed.tokens[j] for j in match.listed] for match in telling]
    trades = sum(names_a_line(run[0].text) for run in words)
    few = _FEW <= len(telling) <= _FEW + (trades == 1)
    if not few or not any(_says_more(token) and not _shortens(token, listed) for token in beside):
        return ""
    if any(len(run) > 1 or not _common_thing(run[0], listed, weights) for run in words):
        return ""
    return " ".join(query.tokens[i].text for match in telling for i in match.query)


def _shortens(token: Token, form: Form) -> bool:
    """Return whether a short word is an abbreviation of the name that it stands beside (`AOPC`)."""
    letters = iter("".join(one.text for one in form.tokens if one is not token))
    return len(token.text) <= _SHORT_FORM and all(letter in letters for letter in token.text)


def _says_more(token: Token) -> bool:
    """Return whether a word beside makes another body of a thing."""
    return not (token.particle or token.place or len(token.text) < 2 or _says_no_more(token.text))


def _lone_word(alignment: Alignment, weights: TokenWeights) -> str:
    """Return the word of the query that alone agrees and is common, else an empty text."""
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _tells(alignment, match)]
    if len(telling) != 1 or len(query.ideographs) > _DRAWN:
        return ""
    beside = alignment.query_left or alignment.listed_left
    if query.group == "thing" and not beside and len(listed.tokens) >= _WHOLE:
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
