"""Whether what agrees between two names is too little information to mean one party. Pure.

A given name is borne by thousands, and an everyday word by a company in every town; a coined word
or a rare one is information (DESIGN.md section 4, What is compared with what).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from apps.reference.names.field.word_tests import is_place_name
from apps.reference.names.scripts.hangul import is_hangul as is_korean
from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.names.scripts.syllables import is_syllabic_name, is_syllabic_word
from apps.reference.names.words.arabic import (
    are_different_arabic_names,
    is_arabic_given_name,
    is_derived_arabic_name,
    is_frequent_arabic_name,
    is_same_arabic_name,
)
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.everyday_words import EVERYDAY_WORDS, TRADE_WORDS
from apps.reference.names.words.general_knowledge import (
    KIND_WORDS,
    LONG_LEGAL_WORDS,
    PERSON_NAMES,
    SHORT_LEGAL_WORDS,
    TWO_LETTER_FORMS,
)
from apps.reference.names.words.person_names import is_person_name
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing, WeightedName
from apps.reference.watchlists.matching.consonants import compare_consonants
from apps.reference.watchlists.matching.lexicon import TokenWeights, is_business_term
from apps.reference.watchlists.matching.qualifiers import SAME_BIRTH, Qualifier
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_order import has_unnatural_order
from apps.reference.watchlists.matching.transcriptions import HEARD

MANY_PERSONS = 10  # who bear a word: more than one family, and one person on several lists
SURE_LETTERS = 6  # a shorter word is like too many others for a likeness to mean it
_SOLID = 0.7
# how words agree that do not as they are written
_HEARD_ALIKE = frozenset({"transliteration", "phonetic", "skeleton"})
_AS_HEARD = frozenset({"exact", "transliteration", "phonetic"})
_DRAWN = 2  # Han or Hangul letters, each of which is a word
# `Abd al-`, `Abdul`, `Abdur` are half of a given name, and `Abu` names a father
_SERVANT = re.compile(r"abd([aeiou]*[lrsd])?")
_OF_A_FAMILY = frozenset({"al", "el"})
_KIN = frozenset({"abu", "abou", "aboo", "abi", "bin", "ibn", "bint", "umm"})
CORROBORATED_BY_ANYTHING = frozenset(
    {"by_consonants", "by_sound", "common_name", "common_part", "trade_words"}
)
"""What anything that agrees beside the name bears out."""
_PURPOSES = frozenset({"ngo"})  # what `extract_org_types` takes for a form, and is more than one
_LEGAL_FORMS = frozenset((*SHORT_LEGAL_WORDS, *LONG_LEGAL_WORDS, *TWO_LETTER_FORMS))
_MOST_TRADE_WORDS = 4  # more that agree are hardly ever another body's
_BODY_WORDS = frozenset({"corps", "force", "organisation"})  # which of a body's names say little
_OF_LEGAL_FORMS = frozenset({"foreign", "closed"})  # `Foreign Limited Liability Company`
_LONGEST_FORM = 5  # tokens at the end of a name, each a word or a letter of a dotted form
_SHORT_FORM = 5  # letters of an abbreviation that stands beside the whole name
_WHOLE = 3  # words, of whatever kind, that are a name of their own where all agree
_FEW = 2  # words that are common by themselves, and together still; and a trade beside


@dataclass(frozen=True, slots=True)
class WeakAgreement:
    """Why what agrees is too little, as `rules.BOUNDS` has it, and the words of it."""

    code: str
    words: str


def find_weak_agreement(
    *,
    alignment: Alignment,
    weights: TokenWeights,
    read_in_latin: bool = False,
    spelt_otherwise: bool = False,
    qualifiers: Iterable[Qualifier] = (),
) -> WeakAgreement | None:
    """Return why what agrees is too little to mean the listed party, None where it is enough.

    `read_in_latin`: the names are of two scripts, and agree as they may be read in Latin letters.
    `spelt_otherwise`: the list itself has the name in the letters of the query, which count.
    What is known besides (`qualifiers`) may bear it out. What holds a hit lowest comes first.
    """
    person = alignment.query.group == "person"
    bones = compare_consonants(alignment)
    by_sound = "" if bones and bones.are_the_name() else _words_by_sound(alignment, read_in_latin)
    by_chance = bones is not None and (spelt_otherwise or not bones.are_enough())
    for code, words in (
        ("by_consonants", bones.words if bones and by_chance else ""),
        ("common_part", _common_part_agreeing(alignment) if person else ""),
        ("one_word", _single_common_word(alignment, weights)),
        ("half_name", _half_syllabic_name(alignment) if person else ""),
        ("business", _business_word_of_query(alignment) if person else ""),
        ("by_sound", by_sound),
        ("common_name", _common_names_agreeing(alignment) if person else ""),
        ("common_words", "" if person else _common_words_agreeing(alignment, weights)),
        ("trade_words", "" if person else _trade_words_agreeing(alignment)),
    ):
        if words and not is_corroborated(qualifiers, of=code):
            return WeakAgreement(code, words)
    return None


def find_weak_beginning(form: WeightedName) -> WeakAgreement | None:
    """Return the words with which a name begins, where many others begin with them.

    That is words of trade, state and place, or of many listed names, and few of them.
    """
    words = [
        token
        for token in form.tokens
        if len(token.text) > _FEW and not (token.particle or _is_empty_word(token.text))
    ]
    if len(words) >= _MOST_TRADE_WORDS or not all(map(_begins_many_names, words)):
        return None
    return WeakAgreement("cut_line", " ".join(token.text for token in form.tokens))


def _begins_many_names(token: Token) -> bool:
    return _is_trade_token(token) or token.count >= MANY_PERSONS or token.text in _OF_LEGAL_FORMS


def _half_syllabic_name(alignment: Alignment) -> str:
    """Return a Korean or Chinese name of which a syllable is not the listed one's, or out of order.

    A given name of two syllables is one name: half of it, with a family name, is another person's,
    and so is a whole one with another family name.
    """
    query, listed = alignment.query, alignment.listed
    tokens = query.tokens
    if not is_syllabic_name(tuple(token.text for token in tokens)):
        return ""
    ours = [tokens[i] for i in alignment.query_left]
    left = [listed.tokens[j] for j in alignment.listed_left]
    half = any(is_syllabic_word(token.text) for token in left if len(token.text) > 1)
    drawn = query.ideographs and not listed.ideographs
    other = bool(ours) and (half or (drawn and is_korean(query.ideographs)))
    if not (half and not ours) and not other and not has_unnatural_order(alignment):
        return ""
    return " ".join(token.text for token in tokens)


def _words_by_sound(alignment: Alignment, read_in_latin: bool) -> str:
    """Return the words that agree where none does as it is written, in one script.

    Of things that is what only sounds alike: a company keeps its name in other letters.
    """
    person = alignment.query.group == "person"
    kinds = _HEARD_ALIKE if person else _HEARD_ALIKE - {"transliteration"}
    telling = [match for match in alignment.matches if _matches_meaningful_word(alignment, match)]
    alone = all(
        match.kind in kinds or (person and (read_in_latin or _is_read_in_latin(alignment, match)))
        for match in telling
    )
    tokens = alignment.query.tokens
    return " ".join(tokens[i].text for m in telling for i in m.query) if telling and alone else ""


def _is_read_in_latin(alignment: Alignment, match: TokenPairing) -> bool:
    """Return whether a word in characters or without vowels agrees as it may be read in Latin."""
    query, listed = alignment.query, alignment.listed
    if bool(query.ideographs) != bool(listed.ideographs):
        return True
    sides = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
    marks = {token.text[0] if token.text[0] in (HEARD, ABJAD) else "" for token in sides}
    return len(marks) > 1


def _common_names_agreeing(alignment: Alignment) -> str:
    """Return the names that agree, where many people bear each of them."""
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _matches_meaningful_word(alignment, match)]
    words = [query.tokens[i] for match in telling for i in match.query]
    # a Korean or Chinese given name of two syllables is one name
    whole = len(telling) == _FEW + 1 and is_syllabic_name(tuple(token.text for token in words))
    left = [form.tokens[i] for form, places in (
        (query, alignment.query_left), (listed, alignment.listed_left)
    ) for i in places if not form.tokens[i].particle]  # fmt: skip
    initialled = any(match.kind == "initial" for match in telling)
    more = len(telling) == _FEW + 1 and bool(left) and not initialled
    few = len(telling) == _FEW or whole or more
    if not few or len(query.ideographs) > _DRAWN:
        return ""
    for match in telling:
        # a rare name that is only like a common one is another's, and so is the reverse
        sides = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        if not any(_is_widespread_name(token) for token in sides):
            return ""
    return " ".join(token.text for token in words)


def _common_part_agreeing(alignment: Alignment) -> str:
    """Return two common names that agree, where the listed name has others beside, or one differs.

    One differs if it is only like the other, or formed from it, or if the query names a child.

    Several in every town bear one of each; a whole name that agrees is for a human.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _matches_meaningful_word(alignment, match)]
    if len(telling) != _FEW or any(match.kind == "initial" for match in telling):
        return ""
    if query.ideographs:
        return ""
    beside = [listed.tokens[j] for j in alignment.listed_left]
    more = any(not token.particle and len(token.text) > 1 for token in beside)
    sides = [
        [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        for match in telling
    ]
    if not all(map(_is_common_pair, sides)):
        return ""
    other = any(map(_are_two_names, sides)) or _names_child_of_listed(alignment, telling)
    if not (other or (more and not _lacks_middle_name(alignment, telling))):
        return ""
    return " ".join(query.tokens[i].text for match in telling for i in match.query)


def _names_child_of_listed(alignment: Alignment, telling: list[TokenPairing]) -> bool:
    """Return whether the query has a given name of its own before the names that agree.

    Where the father's name follows the given one, as Arabic, Hausa and Somali names have it,
    `Hadiza Habibu Yusuf` is a child of Habib Yusuf. `Muhammad` before a name is often left out.
    """
    tokens, listed = alignment.query.tokens, alignment.listed.tokens
    father = min(telling, key=lambda match: match.query)
    spellings = (tokens[father.query[0]].text, listed[father.listed[0]].text)
    own = [tokens[i] for i in alignment.query_left if i < father.query[0]]
    if not own or not any(map(is_arabic_given_name, spellings)):
        return False
    text = own[0].text
    often_left_out = any(is_same_arabic_name(text, name) for name in ("muhammad", "ahmad"))
    return len(text) > 1 and not own[0].particle and not often_left_out


def _lacks_middle_name(alignment: Alignment, telling: list[TokenPairing]) -> bool:
    """Return whether the first and last name agree as they sound, and one between is left out.

    Before the name of a family with an article there may be two, a father's and a grandfather's.
    Two given names the other way round are a father's and a son's.
    """
    listed, query = alignment.listed.tokens, alignment.query.tokens
    first, last = sorted(telling, key=lambda match: match.query)
    if first.listed > last.listed and all(
        is_arabic_given_name(query[match.query[0]].text) for match in telling
    ):
        return False
    places = sorted(j for match in telling for j in match.listed)
    between = [j for j in alignment.listed_left if not listed[j].particle]
    most = 2 if listed[places[-1] - 1].text in _OF_A_FAMILY else 1
    if alignment.query_left or not 1 <= len(between) <= most:
        return False
    if is_syllabic_name(tuple(token.text for token in listed)):
        return False
    written = all(match.kind in _AS_HEARD for match in telling)
    return written and places[0] < between[0] and between[-1] < places[-1]


def _is_common_pair(tokens: list[Token]) -> bool:
    """Return whether many bear a word or one like it; a rare name respelt stays rare (`Sarif`)."""
    respelt = len({_sibilant_bones(token) for token in tokens}) == 1
    rare = not _is_widespread_name(tokens[-1])
    return any(map(_is_widespread_name, tokens)) and not (respelt and rare)


def _sibilant_bones(token: Token) -> str:
    return token.bones.replace("z", "s")


def _are_two_names(tokens: list[Token]) -> bool:
    """Return whether words that are alike are two names: of other sounds, or one of the other."""
    if len({token.unvowelled for token in tokens}) > 1:
        return False
    if len(tokens) == _FEW:
        one, other = (token.text for token in tokens)
        if is_derived_arabic_name(one, other) or are_different_arabic_names(one, other):
            return True
    bones = set(map(_sibilant_bones, tokens))
    return len(bones) > 1 and all(is_common_name(token.text.lstrip(HEARD)) for token in tokens)


def _is_widespread_name(token: Token) -> bool:
    if token.shared or token.count >= MANY_PERSONS:
        return True
    return is_common_name(token.text.lstrip(HEARD)) or (
        token.unvowelled and is_frequent_arabic_name(token.text)
    )


def _business_word_of_query(alignment: Alignment) -> str:
    """Return the word that says that the query is a business, where the listed one is a person.

    A company that bears a person's name is not that person; its owner is for a human to find.
    """
    tokens = alignment.query.tokens
    same = {i for match in alignment.matches if match.kind == "exact" for i in match.query}
    words = (token.text for i, token in enumerate(tokens) if i not in same)
    said = (word for word in words if len(word) > 2)
    trades = (word for word in said if word in TRADE_WORDS | KIND_WORDS or is_business_term(word))
    return next(trades, "") or _trailing_legal_form(alignment)


def _trailing_legal_form(alignment: Alignment) -> str:
    """Return the legal form that a query ends with beyond what agrees (`Rodriguez Lopez S.L.`).

    A few family names are spelt as a form is (`Sá`): which of the two it is, a human judges.
    """
    tokens, left = alignment.query.tokens, set(alignment.query_left)
    initials = {i for match in alignment.matches if match.kind == "initial" for i in match.query}
    for first in range(max(0, len(tokens) - _LONGEST_FORM), len(tokens)):
        places = set(range(first, len(tokens)))
        form = "".join(token.text for token in tokens[first:])
        if form in _LEGAL_FORMS and places & left and places <= left | initials:
            return form
    return ""


def _trade_words_agreeing(alignment: Alignment) -> str:
    """Return the words of trade, state and place that agree, where nothing else does.

    Empty where the names are the same. So many bodies are called by such words that every other
    word makes another one: `Korea Development Bank` is not the Korea United Development Bank.
    """
    query, listed = alignment.query, alignment.listed
    matches = [match for match in alignment.matches if not query.tokens[match.query[0]].particle]
    if not _FEW <= len(matches) <= _MOST_TRADE_WORDS:
        return ""
    respelt = False
    for match in matches:
        first, last = query.tokens[match.query[0]], listed.tokens[match.listed[-1]]
        words = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        if not (
            any(map(_is_trade_token, words))
            or (first is query.tokens[-1] and _may_be_cut_word(first))
        ):
            return ""
        respelt |= match.kind in ("edit", "phonetic") and not _share_stem(first, last)
    beside = [query.tokens[i] for i in alignment.query_left]
    beside += [listed.tokens[j] for j in alignment.listed_left]
    other = any(
        not (
            token.particle
            or token.text in KIND_WORDS | _BODY_WORDS
            or _is_own_abbreviation(token, listed)
        )
        for token in beside
    )
    words_told = (query.tokens[match.query[0]].text for match in matches)
    return " ".join(words_told) if other or respelt else ""


def _may_be_cut_word(token: Token) -> bool:
    """Return whether a word may be what a line of 35 characters leaves of `Company`."""
    return any(word.startswith(token.text) for word in KIND_WORDS)


def _share_stem(token: Token, other: Token) -> bool:
    """Return whether one word begins with the other, as `Iranian` does with `Iran`."""
    return token.text.startswith(other.text) or other.text.startswith(token.text)


def _is_trade_token(token: Token) -> bool:
    text = token.text
    said = (
        token.place or is_business_term(text) or text in EVERYDAY_WORDS | TRADE_WORDS | KIND_WORDS
    )
    return said or is_place_name(text)


def _common_words_agreeing(alignment: Alignment, weights: TokenWeights) -> str:
    """Return the two common words of a thing that agree, where either name has others beside.

    One that says the trade may agree as well (`Blue Sky Aviation`); of several each is of a title.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _matches_meaningful_word(alignment, match)]
    beside = [query.tokens[i] for i in alignment.query_left]
    beside += [listed.tokens[j] for j in alignment.listed_left]
    words = [[listed.tokens[j] for j in match.listed] for match in telling]
    trades = sum(is_business_term(run[0].text) for run in words)
    few = _FEW <= len(telling) <= _FEW + (trades == 1)
    if not few or not any(
        _makes_another_body(token) and not _is_own_abbreviation(token, listed) for token in beside
    ):
        return ""
    if any(len(run) > 1 or not _is_common_thing_word(run[0], listed, weights) for run in words):
        return ""
    return " ".join(query.tokens[i].text for match in telling for i in match.query)


def _is_own_abbreviation(token: Token, form: WeightedName) -> bool:
    """Return whether a short word is an abbreviation of the name that it stands beside (`AOPC`)."""
    letters = iter("".join(one.text for one in form.tokens if one is not token))
    return len(token.text) <= _SHORT_FORM and all(letter in letters for letter in token.text)


def _makes_another_body(token: Token) -> bool:
    """Return whether a word beside makes another body of a thing."""
    return not (token.particle or token.place or len(token.text) < 2 or _is_empty_word(token.text))


def _single_common_word(alignment: Alignment, weights: TokenWeights) -> str:
    """Return the word of the query that alone agrees and is common, else an empty text."""
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if _matches_meaningful_word(alignment, match)]
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
    common = _is_common_person_word if query.group == "person" else _is_common_thing_word
    # two words that stand as one on the other side are judged as that one
    judged = [side[0] for side in sides if len(side) == 1]
    unsure = match.kind != "exact" and min(len(token.text) for token in judged) < SURE_LETTERS
    return told if unsure or any(common(token, listed, weights) for token in judged) else ""


def is_corroborated(qualifiers: Iterable[Qualifier], *, of: str) -> bool:
    """Return whether what is known besides lets what is thin (`of`) mean a listed party.

    Of a whole name that is only heard alike or common, anything that agrees does. Of one common
    word a birth date to the day does, the same address, or a birth year beside a nationality; a
    nationality alone, or a city, does not: they are shared by millions.
    """
    found = {
        qualifier.what: qualifier
        for qualifier in qualifiers
        if qualifier.effect > 0 and qualifier.what != "bounds"
    }
    if of in CORROBORATED_BY_ANYTHING:
        return bool(found)
    birth = found.get("birth_date")
    if "address" in found or (birth is not None and birth.effect >= SAME_BIRTH):
        return True
    return birth is not None and "countries" in found


def _matches_meaningful_word(alignment: Alignment, match: TokenPairing) -> bool:
    tokens = [alignment.listed.tokens[j] for j in match.listed]
    group = alignment.listed.group
    return match.similarity >= _SOLID and any(
        not token.particle
        and len(token.text) > 1
        and (group == "person" or not _is_empty_word(token.text))
        for token in tokens
    )


def _is_empty_word(text: str) -> bool:
    """Return whether a word beside a company's name, or a person's in it, adds nothing to it."""
    return text in KIND_WORDS or text in _KIN or bool(_SERVANT.fullmatch(text))


def _is_common_person_word(token: Token, listed: WeightedName, weights: TokenWeights) -> bool:
    """Return whether people are called by a word, or it is formed as names of families are.

    An article or a word of kinship beside it (`al-`, `Abu`) makes a name of a family or a father,
    which many share; a title does not.
    """
    if token.unvowelled or token.text in PERSON_NAMES or token.shared:
        return True
    if token.count >= MANY_PERSONS:
        return True
    shared = any(one.text in _KIN | _OF_A_FAMILY for one in listed.tokens)
    return shared or is_person_name(token.text.lstrip(HEARD))


def _is_common_thing_word(token: Token, listed: WeightedName, weights: TokenWeights) -> bool:
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
