"""What agrees between the names of two bodies, where that is too little to mean one of them. Pure.

Each function returns the words of the query that agree so, an empty text where they do not.
"""

from collections.abc import Sequence

from rapidfuzz.distance import OSA

from apps.reference.names.field.word_tests import is_place_name
from apps.reference.names.words.common_names import is_common_name
from apps.reference.names.words.everyday_words import BUSINESS_WORDS, EVERYDAY_WORDS, TRADE_WORDS
from apps.reference.names.words.person_names import is_person_name
from apps.reference.names.words.word_classes import KIND_WORDS, PERSON_NAMES
from apps.reference.watchlists.matching.alignment import Alignment, TokenPairing, WeightedName
from apps.reference.watchlists.matching.similarity import Token
from apps.reference.watchlists.matching.token_meaning import (
    ARMED_BODIES,
    AS_HEARD,
    AS_MISTAKEN,
    BODY_WORDS,
    FEW,
    LEGAL_FORMS,
    MOST_TRADE_WORDS,
    OF_LEGAL_FORMS,
    ONE_SLIP,
    SURE_LETTERS,
    WHOLE,
    is_common_thing_word,
    is_empty_word,
    matches_meaningful_word,
)
from apps.reference.watchlists.matching.token_weights import TokenWeights, is_business_term

_OFFICES_OF_STATE = frozenset(
    ("ministry", "ministerio", "ministere", "ministero", "ministerium", "ministerstvo")
)
_HARDLY_A_SLIP = 0.9  # short words that are less alike
_AS_WRITTEN = AS_HEARD | {"joined"}
_KINDS_OF_BODIES = KIND_WORDS | BODY_WORDS | ARMED_BODIES
_NAMES_OF_BODIES = TRADE_WORDS | _KINDS_OF_BODIES
_WORDS_OF_TRADES = BUSINESS_WORDS | EVERYDAY_WORDS
# kinds of bodies that are not their owner's own name: beside it they make another
_OWN_KINDS = """
association center centre enterprise enterprises foundation fundacion holding holdings house
industries industry institute institution society stiftung verein
"""
_OTHER_KINDS = frozenset(_OWN_KINDS.split())
_SHORT_FORM = 5  # letters of an abbreviation next to the whole name
_SHORT_LEGAL_FORM = 3  # letters of a form that no table has (`Pty`)


def find_state_office(alignment: Alignment) -> str:
    """Return the name of an office that every state has, where no word names the country.

    A payment to the Ministry of Petroleum of Egypt is none to that of North Korea. Of many words
    that agree one state's office may be meant alone.
    """
    query = alignment.query
    matched = [query.tokens[i] for match in alignment.matches for i in match.query]
    if not any(token.text in _OFFICES_OF_STATE for token in matched):
        return ""
    telling = [token for token in matched if not (token.particle or len(token.text) < FEW)]
    placed = any(token.place or is_place_name(token.text) for token in telling)
    whole = len(telling) > MOST_TRADE_WORDS
    return "" if placed or whole else " ".join(token.text for token in telling)


def find_name_like_one_word(alignment: Alignment) -> str:
    """Return the name of people that alone agrees with a word of a body, and is only like it.

    A shop called `Gomes` is not Games Unlimited.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    if len(telling) != 1 or telling[0].kind not in AS_MISTAKEN or query.ideographs:
        return ""
    [match] = telling
    word = query.tokens[match.query[0]]
    if len(match.query) + len(match.listed) > FEW or word.unvowelled:
        return ""
    other = listed.tokens[match.listed[0]]
    if min(len(word.text), len(other.text)) >= SURE_LETTERS:
        return ""
    unlike = match.similarity < _HARDLY_A_SLIP and is_person_name(word.text)
    return word.text if unlike or is_common_name(word.text) else ""


def find_unlike_name_beside_trade(alignment: Alignment) -> str:
    """Return the distinctive word of a business if it is hardly similar to the listed one.

    `Konya Commercial Bank` is not Koryo Commercial Bank: only trade words match.
    """
    query = alignment.query
    match = _single_name_beside_trade(alignment)
    if match is None or match.kind != "edit" or match.similarity >= ONE_SLIP:
        return ""
    word, other = query.tokens[match.query[0]], alignment.listed.tokens[match.listed[0]]
    heard = OSA.distance(*(token.fold.replace("c", "k") for token in (word, other)))  # Konkord
    return word.text if min(heard, OSA.distance(word.text, other.text)) > 1 else ""


def find_name_beside_trade(alignment: Alignment) -> str:
    """Return the one word that matches apart from trade and place words, if it is not distinctive.

    Of a name of people (`Khan General Trading`), a listed name beside it (Shahbaz Khan General
    Trading) or another spelling makes another body; of any other word the two together do.
    """
    query, listed = alignment.query, alignment.listed
    match = _single_name_beside_trade(alignment)
    if match is None:
        return ""
    words = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
    named = any(is_common_name(word.text) or word.text in PERSON_NAMES for word in words)
    beside = [listed.tokens[j] for j in alignment.listed_left]
    more = any(
        _makes_another_body(token) and not _is_own_abbreviation(token, listed) for token in beside
    )
    respelt = match.kind in AS_MISTAKEN
    named = named or (respelt and is_person_name(words[0].text))
    little = (named and (respelt or more)) or (respelt and more)
    return query.tokens[match.query[0]].text if little else ""


def _single_name_beside_trade(alignment: Alignment) -> TokenPairing | None:
    """Return the one pair of words that agree and are none of trade, where such words agree too."""
    query, listed = alignment.query, alignment.listed
    if query.ideographs:
        return None
    matches = [match for match in alignment.matches if not query.tokens[match.query[0]].particle]
    telling = [
        match
        for match in matches
        if not any(_is_business_token(listed.tokens[j]) for j in match.listed)
    ]
    trade = [
        match for match in matches if match not in telling and not _is_of_kind(listed, match.listed)
    ]
    return telling[0] if len(telling) == 1 and trade else None


def _is_of_kind(form: WeightedName, places: Sequence[int]) -> bool:
    """Return whether words say no more than what kind of body it is (`Group`)."""
    return all(form.tokens[at].text in KIND_WORDS for at in places)


def _is_business_token(token: Token) -> bool:
    """Return whether a word is one of trade, of what kind of body it is, or a place."""
    trade = is_business_term(token.text) or token.text in BUSINESS_WORDS
    return trade or token.place or is_place_name(token.text)


def find_persons_name(alignment: Alignment) -> str:
    """Return the common personal names in a query that is a person's and not the listed name.

    `Mohammad Ansar Allah` is a man; a group is meant by its whole name in its own order.
    """
    query = alignment.query
    tokens = [token for token in query.tokens if not (token.particle or len(token.text) < 2)]
    if len(tokens) < FEW or any(map(_names_a_body, tokens)):
        return ""
    names = [token.text for token in tokens if _is_common_name_only(token)]
    return "" if _is_whole_name(alignment) else " ".join(names)


def _is_common_name_only(token: Token) -> bool:
    """Return whether a word is a common personal name, and not an everyday word or a place.

    Without its vowels a word is written as too many names are.
    """
    text = token.text
    if token.unvowelled or token.place or text in LEGAL_FORMS or text in EVERYDAY_WORDS:
        return False
    return len(text) > FEW and is_common_name(text)


def _names_a_body(token: Token) -> bool:
    """Return whether a word says what kind of body or business bears a name."""
    text = token.text
    return text in _NAMES_OF_BODIES or (len(text) > 2 and is_business_term(text))


def _is_whole_name(alignment: Alignment) -> bool:
    """Return whether all of a listed name agrees as it sounds and in its order, but for its kind.

    Of three words and more all that agree are enough, however they are ordered or misspelt.
    """
    query, listed = alignment.query.tokens, alignment.listed.tokens
    beside = [query[i].text for i in alignment.query_left]
    if any(len(text) > _SHORT_LEGAL_FORM or is_common_name(text) for text in beside):
        return False
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    left = [listed[j] for j in alignment.listed_left]
    if len(telling) >= WHOLE and all(len(token.text) <= _SHORT_LEGAL_FORM for token in left):
        return True
    if not all(map(_names_a_body, left)):
        return False
    matches = [match for match in alignment.matches if not query[match.query[0]].particle]
    places = [match.listed for match in sorted(matches, key=lambda match: match.query)]
    # `Feng Song` is a name of people: heard alike is not written alike
    people = all(_is_common_name_only(token) for token in query if len(token.text) > 1)
    kinds = _AS_WRITTEN - {"phonetic"} if people else _AS_WRITTEN
    return places == sorted(places) and all(match.kind in kinds for match in matches)


def find_word_of_another_body(alignment: Alignment) -> str:
    """Return the words that a query adds to a listed name of one or two words, making another.

    `Mahan Air Conditioning` is not Mahan Air. A legal form, a place, an abbreviation of the name
    and what armed bodies are called by (`Ansar Allah movement`) make none.
    """
    query, listed = alignment.query, alignment.listed
    telling = [token for token in listed.tokens if _tells_of_body(token)]
    left = [listed.tokens[j] for j in alignment.listed_left]
    if not 1 <= len(telling) <= FEW or any(map(_tells_of_body, left)):
        return ""
    others = [query.tokens[i] for i in alignment.query_left]
    return " ".join(
        token.text
        for token in others
        if _tells_of_body(token)
        and not (token.place or is_place_name(token.text) or _is_acronym(token, query))
    )


def _is_acronym(token: Token, form: WeightedName) -> bool:
    """Return whether a word is an abbreviation of the name next to it, and not a word itself."""
    first = next(one for one in form.tokens if not one.particle)
    begins = token.text[0] == first.text[0] and token.text not in EVERYDAY_WORDS
    return begins and _is_own_abbreviation(token, form)


def _tells_of_body(token: Token) -> bool:
    """Return whether a word of a body's name tells it from others."""
    text = token.text
    if token.particle or len(text) < 2 or text.isdigit() or text in LEGAL_FORMS:
        return False
    return text in _OTHER_KINDS or text not in _KINDS_OF_BODIES


def find_trade_words(alignment: Alignment) -> str:
    """Return the words of trade, state and place that agree, where nothing else does.

    Empty where the names are the same. So many bodies are called by such words that every other
    word makes another one: `Korea Development Bank` is not the Korea United Development Bank.
    """
    query, listed = alignment.query, alignment.listed
    matches = [match for match in alignment.matches if not query.tokens[match.query[0]].particle]
    if not FEW <= len(matches) <= MOST_TRADE_WORDS:
        return ""
    respelt = False
    for match in matches:
        first, last = query.tokens[match.query[0]], listed.tokens[match.listed[-1]]
        words = [query.tokens[i] for i in match.query] + [listed.tokens[j] for j in match.listed]
        if not (
            any(is_trade_token(word) or word.text in OF_LEGAL_FORMS for word in words)
            or (
                # the field may end within a word that says the kind (`Corporat`)
                first is query.tokens[-1]
                and any(word.startswith(first.text) for word in KIND_WORDS)
            )
        ):
            return ""
        respelt |= match.kind in ("edit", "phonetic") and not (
            first.text.startswith(last.text) or last.text.startswith(first.text)
        )
        # oil and petrochemical are one trade, and two companies
        respelt |= match.kind == "sense" and not _is_abbreviation(first.text, last.text)
    beside = [query.tokens[i] for i in alignment.query_left]
    beside += [listed.tokens[j] for j in alignment.listed_left]
    other = any(
        not (
            token.particle
            or token.text in KIND_WORDS
            or token.text in BODY_WORDS
            or _is_own_abbreviation(token, listed)
        )
        for token in beside
    )
    words_told = (query.tokens[match.query[0]].text for match in matches)
    return " ".join(words_told) if other or respelt else ""


def _is_abbreviation(one: str, other: str) -> bool:
    """Return whether one of two words has the first letter and others of the longer in order."""
    short, long = sorted((one, other), key=len)
    # one iterator for all of them: each letter is sought behind the one before
    letters = iter(long)
    return short[0] == long[0] and all(letter in letters for letter in short)


def is_trade_token(token: Token) -> bool:
    text = token.text
    said = token.place or is_business_term(text) or text in _WORDS_OF_TRADES
    return said or is_place_name(text)


def find_common_words(alignment: Alignment, weights: TokenWeights) -> str:
    """Return the two common words that match, if either name has further ones.

    One that says the trade may agree as well (`Blue Sky Aviation`); of several each is of a title.
    """
    query, listed = alignment.query, alignment.listed
    telling = [match for match in alignment.matches if matches_meaningful_word(alignment, match)]
    beside = [query.tokens[i] for i in alignment.query_left]
    beside += [listed.tokens[j] for j in alignment.listed_left]
    words = [[listed.tokens[j] for j in match.listed] for match in telling]
    trades = sum(is_business_term(run[0].text) for run in words)
    few = FEW <= len(telling) <= FEW + (trades == 1)
    if not few or not any(
        _makes_another_body(token) and not _is_own_abbreviation(token, listed) for token in beside
    ):
        return ""
    if any(len(run) > 1 or not is_common_thing_word(run[0], listed, weights) for run in words):
        return ""
    return " ".join(query.tokens[i].text for match in telling for i in match.query)


def _is_own_abbreviation(token: Token, form: WeightedName) -> bool:
    """Return whether a short word is an abbreviation of the name next to it (`AOPC`)."""
    # one iterator: the letters of the abbreviation come in this order
    letters = iter("".join(one.text for one in form.tokens if one is not token))
    return len(token.text) <= _SHORT_FORM and all(letter in letters for letter in token.text)


def _makes_another_body(token: Token) -> bool:
    """Return whether an additional word makes it another organisation."""
    return not (token.particle or token.place or len(token.text) < 2 or is_empty_word(token.text))
