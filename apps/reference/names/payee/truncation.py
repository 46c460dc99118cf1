"""Detect names truncated at the length of a payment field. Pure.

A name that ends within a word is cut off wherever that is; a word that is whole by itself (`John`
before `Johnson`, `Fund 1` before `Fund 12`), or a blank, tells of a cut only where a field ends.
"""

from apps.reference.names.payee.legal_forms import find_legal_form, is_legal_form_spelling
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin
from apps.reference.names.payee.values import PayeeName
from apps.reference.names.payee.word_roles import Role, role_of_word
from apps.reference.names.scripts.text_cleaning import normalize_letters
from apps.reference.names.words.everyday_words import EVERYDAY_WORDS
from apps.reference.names.words.numbers import is_roman_numeral, normalize_numbers

FIELDS = (35, 70, 140)
"""Letters that fields for names hold in messages of payments."""
WIDTHS = (*FIELDS, 36, 40)
"""Those and of files, where a word that is not whole is cut off whatever is left of it."""
LEAST = 20
"""Letters from which a name that ends within a word counts as truncated."""
_LEAST_SEEN = 2  # letters of the broken word
_ENDINGS = frozenset("aehimnorsy")  # a letter by which words are bent, or become other names
_LEAST_WORD = 4
_SERIES: frozenset[Role] = frozenset({"number"})
_OTHERS: frozenset[Role] = frozenset({"number", "line", "branch", "place"})


def find_truncated_roles(submitted: PayeeName, registered: PayeeName) -> frozenset[Role] | None:
    """Return what the words that a submitted name has lost whole do; None where it is not cut off.

    A number, numeral or letter of a series is never lost; nor, where it ends between words, is a
    place, a branch or a kind of business. Legal forms do nothing.
    """
    if not LEAST <= len(submitted.text) < len(registered.text):
        return None
    for short, long in zip(
        _fold_both_ways(submitted.text), _fold_both_ways(registered.text), strict=True
    ):
        if not short:
            continue
        broken = long[: len(short)] != short
        at_end = len(submitted.text) in WIDTHS if broken else _fills_field(submitted.text)
        lost = _find_first_lost_word(short, long, at_end=at_end)
        if lost is None:
            continue
        form_span = find_legal_form(long) if len(long) > 1 else None
        end = form_span.start if form_span and form_span.end == len(long) else len(long)
        words = normalize_numbers(long[:end])[lost:]
        roles = frozenset(
            _role_of_lost_word(word, company=registered.company) for word in words
        ) - {"particle"}
        # a word broken just where a field ends is cut off for certain, whatever is lost behind it
        if broken and at_end:
            return roles
        return None if roles & (_SERIES if broken else _OTHERS) else roles
    return None


def _fold_both_ways(text: str) -> tuple[list[str], list[str]]:
    words = fold_words(transliterate_to_latin(normalize_letters(text[:300]), person=False))
    return [word.plain for word in words], [word.told for word in words]


def _fills_field(text: str) -> bool:
    """Return whether a text is as long as a field, or but for the blank at its end."""
    return len(text) in FIELDS or len(text.rstrip()) + 1 in FIELDS


def _find_first_lost_word(short: list[str], long: list[str], *, at_end: bool) -> int | None:
    """Return the place of the first word of a long name that a short one lost whole."""
    last = len(short) - 1
    if len(long) <= last or short[:last] != long[:last]:
        return None
    if short[last] == long[last]:
        return len(short) if at_end and len(long) > len(short) else None
    if not long[last].startswith(short[last]) or _is_part_of_number(short[last], long[last]):
        return None
    return len(short) if at_end or _is_broken_word(short[last], long[last]) else None


def _is_part_of_number(part: str, word: str) -> bool:
    """Return whether a word, or what is left of it, counts: `1` of `12`, `VI` of `VII`, `A`."""
    if is_roman_numeral(word) or len(word) < _LEAST_WORD:
        return True
    return not word.isalpha() and any(sign.isdigit() for sign in part + word)


def _is_broken_word(part: str, word: str) -> bool:
    """Return whether a part of a word is none by itself, and lacks more than an ending."""
    if len(part) < _LEAST_SEEN or word[len(part) :] in _ENDINGS:
        return False
    whole = is_common_given_name(part) or is_legal_form_spelling(part) or part in EVERYDAY_WORDS
    return not whole and role_of_word(part) == "name"


def _role_of_lost_word(word: str, *, company: bool) -> Role:
    if word.isdigit() or (len(word) == 1 and company) or is_roman_numeral(word):
        return "number"
    return role_of_word(word) if company else "name"
