"""What agrees between the names of two persons, where that is too little to mean one of them. Pure.

Each function returns the words of the query that agree so, an empty text where they do not.
"""

from apps.reference.names.payee.legal_forms import find_legal_form, is_legal_form_spelling
from apps.reference.names.scripts.cjk_organization_words import has_organization_word
from apps.reference.names.scripts.hangul import is_hangul
from apps.reference.names.scripts.korean_chinese_syllables import (
    is_syllabic_name,
    is_syllabic_surname,
    is_syllabic_word,
)
from apps.reference.names.words.arabic_names import (
    are_different_arabic_names,
    is_arabic_given_name,
    is_derived_arabic_name,
    is_same_arabic_name,
)
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.everyday_words import BUSINESS_WORDS
from apps.reference.names.words.person_names import is_person_name
from apps.reference.names.words.slavic_person_names import (
    are_transcriptions,
    find_slavic_name_number,
    have_other_vowels,
    is_patronymic,
    is_slavic_family_name,
)
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_meaning import (
    AS_HEARD,
    AS_MISTAKEN,
    DRAWN,
    FEW,
    LEGAL_FORMS,
    OF_A_FAMILY,
    ONE_SLIP,
    is_widespread_name,
    matches_meaningful_word,
)
from apps.reference.watchlists.matching.token_order import has_unnatural_order
from apps.reference.watchlists.matching.token_weights import is_business_term
from apps.reference.watchlists.matching.transcriptions import HEARD

_AS_SPELT = frozenset({"exact", "joined", "initial"})
_LONGEST_FORM = 5  # tokens at the end of a name, each a word or a letter of a dotted form


def find_half_syllabic_name(alignment: Alignment) -> str:
    """Return a Korean or Chinese name with a syllable that differs or is out of order.

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
    other = bool(ours) and (half or (drawn and is_hangul(query.ideographs)))
    if not (half and not ours) and not other and not has_unnatural_order(alignment):
        return ""
    return " ".join(token.text for token in tokens)


def find_syllables_by_sound(alignment: Alignment) -> str:
    """Return a Korean or Chinese name of whose given name a syllable is not spelt as listed.

    There are few syllables, and many that are spelt or heard alike: `Kim Jung-eun` is a common
    woman's name. A family name has spellings of its own (`Park`, `Pak`).
    """
    query, listed = alignment.query, alignment.listed
    if query.ideographs or listed.ideographs:
        return ""
    names = [tuple(token.text for token in form.tokens) for form in (query, listed)]
    if not all(map(is_syllabic_name, names)):
        return ""
    # the listed name begins with its family name, unless its first word cannot be one
    family = 0 if is_syllabic_surname(names[1][0]) else len(names[1]) - 1
    written = all(
        match.kind in _AS_SPELT or match.listed == (family,) for match in alignment.matches
    )
    return "" if written else " ".join(names[0])


def find_other_family(alignment: Alignment) -> str:
    """Return a family name that is only similar to the listed one, next to common names.

    Next to a very common name, anything but a typing error is another family: a name itself
    (`Putilin`), more than one different letter, or formed like a Russian family name, where another
    consonant or vowel makes another name (`Ladrov`, `Lavrov`; `Potin`).
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    pairs = [
        (query.tokens[match.query[0]], listed.tokens[match.listed[0]], match) for match in telling
    ]
    russian = any(map(_is_russian_given_name, query.tokens))
    apart = [_are_two_families(*pair, russian=russian) for pair in pairs]
    others = [pair[0].text for pair, two in zip(pairs, apart, strict=True) if two]
    rest = [pair[:2] for pair, two in zip(pairs, apart, strict=True) if not two]
    common = all(any(map(_is_widespread_or_patronymic, pair)) for pair in rest)
    return " ".join(others) if others and 1 <= len(rest) <= FEW and common else ""


def _are_two_families(token: Token, other: Token, match: TokenPairing, *, russian: bool) -> bool:
    if match.kind not in ("edit", "phonetic") or token.unvowelled or other.unvowelled:
        return False  # two words that are run together are `joined`
    patronymics = is_patronymic(token.fold), is_patronymic(other.fold)
    if any(patronymics):  # a family name formed like one (`Kirillov`, `Kirillovich`) is another
        return not all(patronymics)
    folds = token.fold, other.fold
    families = all(map(is_slavic_family_name, folds))
    # before `families`: another transcription of one name would look like another family
    if are_transcriptions(*folds):
        return families and russian and have_other_vowels(*folds)
    if families:
        return True
    unlike = match.similarity < ONE_SLIP or is_person_name(token.text)
    return match.kind == "edit" and unlike


def _is_russian_given_name(token: Token) -> bool:
    return bool(find_slavic_name_number(token.text)) or is_patronymic(token.fold)


def _is_widespread_or_patronymic(token: Token) -> bool:
    return is_widespread_name(token) or is_patronymic(token.fold)


def find_common_names(alignment: Alignment) -> str:
    """Return the names that agree, where many people bear each of them."""
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    words = [query.tokens[i] for match in telling for i in match.query]
    # a Korean or Chinese given name of two syllables is one name
    whole = len(telling) == FEW + 1 and is_syllabic_name(tuple(token.text for token in words))
    left = [form.tokens[i] for form, places in (
        (query, alignment.query_left), (listed, alignment.listed_left)
    ) for i in places if not form.tokens[i].particle]  # fmt: skip
    initialled = any(match.kind == "initial" for match in telling)
    more = len(telling) == FEW + 1 and bool(left) and not initialled
    few = len(telling) == FEW or whole or more
    if not few or len(query.ideographs) > DRAWN:
        return ""
    for match in telling:
        # a rare name that is only like a common one is another's, and so is the reverse
        sides = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        if not any(is_widespread_name(token) for token in sides):
            return ""
    return " ".join(token.text for token in words)


def find_common_part(alignment: Alignment) -> str:
    """Return two common names that match, if the listed name has further ones, or one differs.

    One differs if it is only like the other, or formed from it, or if the query names a child; so
    do two that are turned round and not spelt alike (`Sara Mohammadi`, Mohammad al-Shaar).

    Several in every town bear one of each; a whole name that agrees is for a human.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    if len(telling) != FEW or any(match.kind == "initial" for match in telling):
        return ""
    if query.ideographs:
        return ""
    beside = [listed.tokens[j] for j in alignment.listed_left]
    more = any(not token.particle and len(token.text) > 1 for token in beside)
    first, last = sorted(telling, key=lambda match: match.query)
    # a bank may write the family name first: only where the list has more names is it another's
    turned = more and first.listed > last.listed and {first.kind, last.kind} & AS_MISTAKEN
    sides = [
        [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        for match in telling
    ]
    if turned and all(any(map(is_widespread_name, side)) for side in sides):
        return " ".join(query.tokens[i].text for match in telling for i in match.query)
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
    most = 2 if listed[places[-1] - 1].text in OF_A_FAMILY else 1
    if alignment.query_left or not 1 <= len(between) <= most:
        return False
    if is_syllabic_name(tuple(token.text for token in listed)):
        return False
    # an article may be run together with the name behind it (`Alzahrani`)
    written = all(match.kind in AS_HEARD | {"joined"} for match in telling)
    return written and places[0] < between[0] and between[-1] < places[-1]


def _is_common_pair(tokens: list[Token]) -> bool:
    """Return whether many bear a word or one like it; a rare name respelt stays rare (`Sarif`)."""
    respelt = len({_sibilant_bones(token) for token in tokens}) == 1
    rare = not is_widespread_name(tokens[-1])
    return any(map(is_widespread_name, tokens)) and not (respelt and rare)


def _sibilant_bones(token: Token) -> str:
    return token.bones.replace("z", "s")


def _are_two_names(tokens: list[Token]) -> bool:
    """Return whether words that are alike are two names: of other sounds, or one of the other."""
    if len({token.unvowelled for token in tokens}) > 1:
        return False
    if len(tokens) == FEW:
        one, other = (token.text for token in tokens)
        if is_derived_arabic_name(one, other) or are_different_arabic_names(one, other):
            return True
    bones = set(map(_sibilant_bones, tokens))
    return len(bones) > 1 and all(is_common_name(token.text.lstrip(HEARD)) for token in tokens)


def find_business_word(alignment: Alignment) -> str:
    """Return the word that indicates a business, if the listed party is a person.

    A company with a person's name is not that person; an officer must find its owner.
    """
    tokens = alignment.query.tokens
    # a word of business that the listed person's name has as well does not make it a company's
    same = {i for match in alignment.matches if match.kind == "exact" for i in match.query}
    words = (token.text for i, token in enumerate(tokens) if i not in same)
    said = (word for word in words if len(word) > 2)
    trades = (word for word in said if word in BUSINESS_WORDS or is_business_term(word))
    return next(trades, "") or _legal_form_of_query(alignment)


def find_common_part_of_business(alignment: Alignment) -> str:
    """Return the names of a business that many people bear, where a listed person has others too.

    `Ali Saleh Ltd` is not Ali Mohammad Saleh's more than of any other of that name.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    left = [listed.tokens[j] for j in alignment.listed_left]
    more = any(not token.particle and len(token.text) > 1 for token in left)
    if not (telling and more and find_business_word(alignment)):
        return ""
    for match in telling:
        sides = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        if not any(map(is_widespread_name, sides)):
            return ""
    return " ".join(query.tokens[i].text for match in telling for i in match.query)


def _legal_form_of_query(alignment: Alignment) -> str:
    """Return the legal form that a query has beyond what agrees (`Rodriguez Lopez S.L.`, `AO …`).

    A few family names are spelt as a form is (`Sá`): which of the two it is, a human judges.
    """
    texts = [token.text for token in alignment.query.tokens]
    left = set(alignment.query_left)
    initials = {i for match in alignment.matches if match.kind == "initial" for i in match.query}
    span = find_legal_form(texts)
    ends = [(first, len(texts)) for first in range(max(0, len(texts) - _LONGEST_FORM), len(texts))]
    # the payee table knows forms at the head and of several words; a dotted form at the end comes
    # in single letters
    for first, end in ends if span is None else [(span.start, span.end), *ends]:
        places, form = set(range(first, end)), "".join(texts[first:end])
        known = form in LEGAL_FORMS or is_legal_form_spelling(form)
        if known and len(form) > 1 and places & left and places <= left | initials:
            return form
    return ""


def find_body_in_characters(alignment: Alignment) -> str:
    """Return a name in characters with a word of an organisation, unless the listed name begins it.

    The syllables of an office or a firm may form a person's name in some order.
    """
    query = alignment.query
    if not has_organization_word(query.ideographs):
        return ""
    places = sorted((match.query, match.listed) for match in alignment.matches)
    begins = [match for match, _listed in places] == [(at,) for at in range(len(places))]
    in_order = [at for _match, at in places] == sorted(at for _match, at in places)
    if begins and in_order and not alignment.listed_left:
        return ""
    return " ".join(token.text for token in query.tokens)
