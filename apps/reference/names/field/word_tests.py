"""What the words of a name field tell: whether they can be a name, a place, a company."""

import re
from collections.abc import Iterable
from functools import lru_cache

from rigour.names import extract_org_types

from apps.reference.names.words.senses import find_word_senses
from apps.reference.names.words.territories import territory_code
from apps.reference.names.words.word_classes import PARTICLES

LEAST_LETTERS = 3
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_LEAST_PLACE = 4
_REGIONS = frozenset(
    {"uk", "us", "usa", "uae", "prc", "drc", "ksa", "asia", "asia pacific", "apac", "europe", "eu"}
    | {"africa", "america", "americas", "latin america", "middle east", "emea", "mena", "gcc"}
    | {"far east", "eurasia", "oceania", "overseas", "international", "worldwide", "global"}
)
# words that are a legal form only with the one behind them: `(Pty) Ltd`, `(Pvt.) Limited`
PARTIAL_LEGAL_FORMS = frozenset({"pty", "pvt", "pte", "proprietary"})
_PLAIN_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
DENSE_LETTER = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def split_words(text: str) -> list[str]:
    """Return the words of a text; what a hyphen, dot or apostrophe joins is one."""
    return _WORD.findall(text)


def parse_phrases(table: str) -> list[str]:
    """Return the phrases of a table, which has a comma between each two."""
    return [" ".join(one.split()) for one in table.split(",") if one.strip()]


def collect_first_words(listed: Iterable[str]) -> frozenset[str]:
    """Return the first word of each phrase, for `may_contain_phrase`."""
    return frozenset(_PLAIN_WORD.findall(one)[0] for one in listed)


def may_contain_phrase(text: str, first: frozenset[str]) -> bool:
    """Return whether a text may contain a phrase that begins with one of these words.

    Always true for scripts without spaces: only a search can decide.
    """
    found = _PLAIN_WORD.findall(text.lower())
    return not first.isdisjoint(found) or (not text.isascii() and bool(DENSE_LETTER.search(text)))


def build_comparison_key(text: str) -> str:
    """Return the words of a text for telling whether another has the same."""
    return " ".join(_PLAIN_WORD.findall(text.casefold()))


def has_digit(text: str) -> bool:
    """Return whether a text has a digit of any script."""
    return _DIGIT.search(text) is not None


@lru_cache(maxsize=8192)
def is_place_name(text: str) -> bool:
    """Return whether a text is the name of a country, region or capital, in any language.

    Codes of two and three letters are words and names as well: only those that people write.
    """
    bare = text.strip(" .,")
    if bare.lower() in _REGIONS:
        return True
    if bare.isascii() and len(bare) < _LEAST_PLACE:
        return False
    return bool(territory_code(bare))


def strip_city_and_country(text: str) -> str:
    """Return the text before a city and its country at the end, else an empty text."""
    written = text.split()
    for size in (1, 2, 3):
        country, left = written[-size:], written[:-size]
        if len(left) > 1 and is_place_name(" ".join(country)) and is_place_name(left[-1]):
            return " ".join(left[:-1]).strip(" ,-/")
    return ""


def strip_legal_forms(text: str) -> str:
    """Return a text in lower case without its legal forms; empty when it is nothing else."""
    bare = " ".join(text.lower().split())
    for written, _form in extract_org_types(bare):
        bare = re.sub(rf"(?<!\w){re.escape(written.lower())}(?!\w)", " ", bare)
    return bare.strip(" .,&-")


@lru_cache(maxsize=1024)
def has_legal_form(text: str) -> bool:
    """Return whether a text holds a legal form, abbreviated or written out."""
    return bool(extract_org_types(" ".join(text.lower().split())))


def begins_with_legal_form(text: str) -> bool:
    """Return whether a text is a legal form, or one with something behind it."""
    lowered = " ".join(text.lower().split())
    return any(lowered.startswith(written.lower()) for written, _form in extract_org_types(lowered))


@lru_cache(maxsize=1024)
def is_company_name(text: str) -> bool:
    """Return whether a text has a legal form or a word of business, such as `bank`, `holding`."""
    return has_legal_form(text) or any(map(_is_business_word, split_words(text.lower())))


@lru_cache(maxsize=1024)
def is_distinctive_name(text: str) -> bool:
    """Return whether a text can be a name by itself.

    A place, a legal form, a single word of business, a number or a letter or two are none.
    """
    # a letter of a script without spaces counts twice: two of them are a name
    letters = len(_LETTER.findall(text)) + len(DENSE_LETTER.findall(text))
    if letters < LEAST_LETTERS or is_place_name(text):
        return False
    left = split_words(strip_legal_forms(text))
    return len(left) > 1 or (
        len(left) == 1
        and not is_generic_word(left[0])
        and left[0].strip(".") not in PARTIAL_LEGAL_FORMS
        and left[0] not in PARTICLES
    )


def is_generic_word(word: str) -> bool:
    """Return whether a word says what kind of company one is, such as `holding`, `services`."""
    return any(sense.startswith("SYMBOL:") for sense in find_word_senses(word))


def is_undistinctive_word(word: str) -> bool:
    """Return whether a word by itself tells no party: of business, a place, a particle."""
    return word in PARTICLES or is_generic_word(word) or is_place_name(word)


def _is_business_word(word: str) -> bool:
    return any(sense.startswith(("SYMBOL:", "DOMAIN:")) for sense in find_word_senses(word))
