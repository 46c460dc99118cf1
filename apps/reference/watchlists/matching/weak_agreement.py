"""Decide whether the agreement of two names is too weak to identify one party. Pure.

Thousands share a given name, and every town has a company with an everyday word in its name; a
coined or rare word identifies (DESIGN.md section 4, What is compared with what).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.person_names import is_person_name
from apps.reference.names.words.word_classes import KIND_WORDS, PERSON_NAMES
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing, WeightedName
from apps.reference.watchlists.matching.attribute_agreement import SAME_BIRTH, Qualifier
from apps.reference.watchlists.matching.body_agreement import (
    find_common_words,
    find_name_beside_trade,
    find_name_like_one_word,
    find_persons_name,
    find_state_office,
    find_trade_words,
    find_unlike_name_beside_trade,
    find_word_of_another_body,
    is_trade_token,
)
from apps.reference.watchlists.matching.consonants import compare_consonants
from apps.reference.watchlists.matching.person_agreement import (
    find_body_in_characters,
    find_business_word,
    find_common_names,
    find_common_part,
    find_common_part_of_business,
    find_half_syllabic_name,
    find_other_family,
    find_syllables_by_sound,
)
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_meaning import (
    ARMED_BODIES,
    BODY_WORDS,
    DRAWN,
    FEW,
    KIN,
    MANY_PERSONS,
    MOST_TRADE_WORDS,
    OF_A_FAMILY,
    OF_LEGAL_FORMS,
    ONE_SLIP,
    SURE_LETTERS,
    WHOLE,
    is_common_thing_word,
    is_empty_word,
    matches_meaningful_word,
)
from apps.reference.watchlists.matching.token_weights import TokenWeights
from apps.reference.watchlists.matching.transcriptions import HEARD

# how words agree if not as written
_HEARD_ALIKE = frozenset({"transliteration", "phonetic", "skeleton"})
CORROBORATED_BY_ANYTHING = frozenset(
    (
        *("by_consonants", "by_sound", "common_name", "common_part", "syllables"),
        *("state_office", "trade_words"),
    )
)
"""Weak agreements that any other matching attribute confirms."""
_PURPOSES = frozenset({"ngo"})  # what `extract_org_types` takes for a form, and is more than one
_KINDS_OF_BUSINESS = KIND_WORDS - BODY_WORDS - ARMED_BODIES
_ACRONYM = 4  # letters that other bodies and persons may be called by as well


@dataclass(frozen=True, slots=True)
class WeakAgreement:
    """Why the agreement is too weak, by a code of `score_limits.BOUNDS`, and its words."""

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
    """Return why the agreement is too weak to mean the listed party; None if it is enough.

    `read_in_latin`: the names are of two scripts, and agree as they may be read in Latin letters.
    `spelt_otherwise`: the list itself has the name in the query's letters, which count.
    Other attributes (`qualifiers`) may confirm it. The lowest limit comes first.
    """
    person = alignment.query.group == "person"
    bones = compare_consonants(alignment)
    # a whole name with a rare word in it is that name, in whatever script it is written
    by_sound = "" if bones and bones.are_the_name() else _words_by_sound(alignment, read_in_latin)
    by_chance = bones is not None and (spelt_otherwise or not bones.are_enough())
    # the first that holds decides; the lowest limit comes first (except half_name, which follows
    # one_word)
    for code, words in (
        ("by_consonants", bones.words if bones and by_chance else ""),
        ("common_part", find_common_part(alignment) if person else ""),
        ("business_part", find_common_part_of_business(alignment) if person else ""),
        ("body_in_characters", find_body_in_characters(alignment) if person else ""),
        ("like_one_word", "" if person else find_name_like_one_word(alignment)),
        ("unlike_name", "" if person else find_unlike_name_beside_trade(alignment)),
        ("one_word", _single_common_word(alignment, weights)),
        ("half_name", find_half_syllabic_name(alignment) if person else ""),
        ("business", find_business_word(alignment) if person else ""),
        ("persons_name", "" if person else find_persons_name(alignment)),
        ("by_sound", by_sound),
        ("common_name", find_common_names(alignment) if person else ""),
        ("other_family", find_other_family(alignment) if person else ""),
        ("syllables", find_syllables_by_sound(alignment) if person else ""),
        ("common_words", "" if person else find_common_words(alignment, weights)),
        ("trade_words", "" if person else find_trade_words(alignment)),
        ("state_office", "" if person else find_state_office(alignment)),
        ("name_and_trade", "" if person else find_name_beside_trade(alignment)),
        ("other_body", "" if person else find_word_of_another_body(alignment)),
    ):
        if words and not is_corroborated(qualifiers, of=code):
            texts = [token.text for token in alignment.query.tokens]
            # in the order of the query; what a function joined or respelt stays in front
            ordered = sorted(
                words.split(), key=lambda word: texts.index(word) if word in texts else 0
            )
            return WeakAgreement(code, " ".join(word.lstrip(ABJAD + HEARD) for word in ordered))
    return None


def find_weak_beginning(form: WeightedName) -> WeakAgreement | None:
    """Return the words with which a name begins, where many others begin with them.

    That is words of trade, state and place, or of many listed names, and few of them.
    """
    words = [
        token
        for token in form.tokens
        if len(token.text) > FEW and not (token.particle or is_empty_word(token.text))
    ]
    if len(words) >= MOST_TRADE_WORDS or not all(map(_begins_many_names, words)):
        return None
    return WeakAgreement("cut_line", " ".join(token.text for token in form.tokens))


def _begins_many_names(token: Token) -> bool:
    return is_trade_token(token) or token.count >= MANY_PERSONS or token.text in OF_LEGAL_FORMS


def _words_by_sound(alignment: Alignment, read_in_latin: bool) -> str:
    """Return the words that agree where none does as it is written, in one script.

    Of things that is what only sounds alike: a company keeps its name in other letters.
    """
    person = alignment.query.group == "person"
    kinds = _HEARD_ALIKE if person else _HEARD_ALIKE - {"transliteration"}
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
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


def _single_common_word(alignment: Alignment, weights: TokenWeights) -> str:
    """Return the word of the query that alone agrees and is common, else an empty text."""
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    if len(telling) != 1 or len(query.ideographs) > DRAWN:
        return ""
    beside = alignment.query_left or alignment.listed_left
    if query.group == "thing" and not beside and len(listed.tokens) >= WHOLE:
        return ""
    if _PURPOSES & set(query.legal) & set(listed.legal):
        return ""
    [match] = telling
    sides = [
        [form.tokens[i] for i in places]
        for form, places in ((query, match.query), (listed, match.listed))
    ]
    told = " ".join(token.text for token in sides[0])
    common = _is_common_person_word if query.group == "person" else is_common_thing_word
    # two words that are one on the other side are judged as that one
    judged = [side[0] for side in sides if len(side) == 1]
    short = min(len(token.text) for token in judged) < SURE_LETTERS
    # `Lazard` is not a slip of the pen for `Lazarus`
    unlike = match.kind == "edit" and match.similarity < ONE_SLIP
    unsure = unlike or (short and match.kind != "exact")
    if len(judged) == len(sides):
        unsure = unsure or _names_another_business(alignment, judged[0])
    return told if unsure or any(common(token, listed, weights) for token in judged) else ""


def _names_another_business(alignment: Alignment, token: Token) -> bool:
    """Return whether the one word that a listed body is known by is likely another business's.

    A name of people is, where the query leaves out or replaces the kind of body that the list has
    (`Wagner GmbH`, the Wagner Group); so are a few letters beside a word of business (`ISIL
    Group`), or beside a legal form where people are called so as well (`Isis Ltd`).
    """
    query, listed = alignment.query, alignment.listed
    if query.group == "person":
        return False
    missing = any(listed.tokens[j].text in _KINDS_OF_BUSINESS for j in alignment.listed_left)
    renamed = bool(query.legal) and is_person_name(token.text)
    if missing and (renamed or is_common_name(token.text)):
        return True
    if len(token.text) > _ACRONYM or len(listed.tokens) > 1:
        return False
    added = any(query.tokens[i].text in _KINDS_OF_BUSINESS for i in alignment.query_left)
    return added or (renamed and not listed.legal)


def is_corroborated(qualifiers: Iterable[Qualifier], *, of: str) -> bool:
    """Return whether other attributes confirm a weak agreement (`of`).

    A whole name that only sounds alike or is common is confirmed by any attribute that agrees. One
    common word needs a birth date to the day, the same address, or a birth year with a nationality;
    a nationality alone, or a city, is shared by millions.
    """
    found = {
        qualifier.what: qualifier
        for qualifier in qualifiers
        # "bounds" is the correction of a sum, and confirms nothing
        if qualifier.effect > 0 and qualifier.what != "bounds"
    }
    if of in CORROBORATED_BY_ANYTHING:
        return bool(found)
    birth = found.get("birth_date")
    if "address" in found or (birth is not None and birth.effect >= SAME_BIRTH):
        return True
    return birth is not None and "countries" in found


def _is_common_person_word(token: Token, listed: WeightedName, weights: TokenWeights) -> bool:
    """Return whether people are called by a word, or it is formed as names of families are.

    An article or a word of kinship beside it (`al-`, `Abu`) makes a name of a family or a father,
    which many share; a title does not.
    """
    if token.unvowelled or token.text in PERSON_NAMES or token.shared:
        return True
    if token.count >= MANY_PERSONS:
        return True
    shared = any(one.text in KIN or one.text in OF_A_FAMILY for one in listed.tokens)
    return shared or is_person_name(token.text.lstrip(HEARD))
