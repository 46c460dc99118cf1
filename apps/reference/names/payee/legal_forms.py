"""Legal forms of companies: their position in a name, and their comparison. Pure."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from rapidfuzz.distance import OSA

from apps.reference.names.payee.legal_form_table import (
    CJK_FORM_PAIRS,
    EQUIVALENT_FORMS,
    FORMS,
    KINDRED_FORMS,
    LEADING_FORMS,
    SHORTER_FORMS,
    SOLE_TRADERS,
    TRANSLATED_FORMS,
)
from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin

Relation = Literal["same", "absent", "shortened", "translated", "rendered", "kindred", "conflict"]
"""How the forms of two names stand to each other; `absent` where one name has none.

`translated`: one form, told in the language of its country and in another; `rendered`: it may be
its translation, or the form of another country (`OOO`, `LLC`, neither in letters of its own).
"""

MOST_WORDS = 8
_LONGEST_SHORT = 4
_SHORT_FORM, _LONG_FORM = 3, 6  # letters


@dataclass(frozen=True, slots=True)
class LegalFormSpan:
    """A legal form in a row of words: its code, and where it begins and ends."""

    code: str
    start: int
    end: int


def find_legal_form(words: list[str]) -> LegalFormSpan | None:
    """Return the legal form of a name's words: at its end, at its head, or else last within it.

    At least one word must be left; a form of two letters within a name is a word of it.
    """
    at_end, at_head = _find_form_ending_at(words, len(words)), _find_form_at_head(words)
    # the word of a sole trader in front decides, whatever the name ends in
    if at_head and at_head.code in SOLE_TRADERS:
        return at_head
    if at_end or at_head:
        return at_end or at_head
    for end in range(len(words) - 1, 1, -1):
        form_ending = _find_form_ending_at(words, end)
        if form_ending and len("".join(words[form_ending.start : form_ending.end])) > 2:
            return form_ending
    return None


def relate_legal_forms(one: str, other: str, *, native: bool = False) -> Relation:
    """Return the relation of two legal forms; an empty code is no form.

    `native`: one is written in the letters or with the marks of its own language.
    """
    if one == other:
        return "same"
    if not one or not other:
        return "absent"
    if other in SHORTER_FORMS.get(one, ()) or one in SHORTER_FORMS.get(other, ()):
        return "shortened"
    if {one, other} in EQUIVALENT_FORMS:
        return "translated"
    if {one, other} in TRANSLATED_FORMS:
        return "translated" if native else "rendered"
    if native and {one, other} in CJK_FORM_PAIRS:
        return "translated"
    return "kindred" if {one, other} in KINDRED_FORMS else "conflict"


def find_misspelt_form(words: list[str], code: str) -> LegalFormSpan | None:
    """Return where words end or begin with a form of this code with one typing error.

    In short forms only swapped letters count: an extra letter makes another form.
    """
    for size in range(min(MOST_WORDS, len(words) - 1), 0, -1):
        for start in (len(words) - size, 0):
            run = "".join(words[start : start + size])
            if any(_is_form_slip(run, one) for one in _spellings_by_code().get(code, ())):
                return LegalFormSpan(code, start, start + size)
    return None


def find_leading_form(words: list[str], code: str) -> LegalFormSpan | None:
    """Return where words begin with a form of this code, however short (`S.A. Damm`)."""
    for size in range(min(_LONGEST_SHORT, len(words) - 1), 0, -1):
        if _codes_by_spelling().get("".join(words[:size])) == code:
            return LegalFormSpan(code, 0, size)
    return None


def _is_form_slip(run: str, spelling: str) -> bool:
    if OSA.distance(run, spelling, score_cutoff=1) != 1:
        return False
    return len(spelling) >= _LONG_FORM or sorted(run) == sorted(spelling)


@cache
def _spellings_by_code() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for spelling, code in _codes_by_spelling().items():
        if len(spelling) >= _SHORT_FORM:
            found.setdefault(code, []).append(spelling)
    return found


def is_native_form(word: str) -> bool:
    """Return whether a word is a legal form in its own script, as `ООО` before a Latin name."""
    return word.lower() in _native_forms()


def has_trailing_legal_form(words: list[str]) -> bool:
    """Return whether words as they are written end with a legal form of more than one letter."""
    plain = [
        one.plain
        for word in words
        for one in fold_words(transliterate_to_latin(word, person=False))
    ]
    return _find_form_ending_at(plain, len(plain)) is not None


def is_legal_form_spelling(run: str) -> bool:
    """Return whether folded letters without blanks are a legal form."""
    return run in _codes_by_spelling()


def _find_form_at_head(words: list[str]) -> LegalFormSpan | None:
    """Return the longest form at the beginning of words."""
    for size in range(min(MOST_WORDS, len(words) - 1), 0, -1):
        if (run := "".join(words[:size])) in _leading_spellings():
            return LegalFormSpan(_codes_by_spelling()[run], 0, size)
    return None


def _find_form_ending_at(words: list[str], end: int) -> LegalFormSpan | None:
    """Return the longest form that ends before a word."""
    spellings = _codes_by_spelling()
    for size in range(min(MOST_WORDS, end - 1), 0, -1):
        if code := spellings.get("".join(words[end - size : end])):
            return LegalFormSpan(code, end - size, end)
    return None


@cache
def _codes_by_spelling() -> dict[str, str]:
    rows = (row.split(" | ") for row in FORMS.strip().splitlines())
    return {_fold_spelling(one): code for code, listed in rows for one in listed.split(", ")}


@cache
def _native_forms() -> frozenset[str]:
    words = (word.strip(",") for word in FORMS.split())
    return frozenset(word for word in words if not word.isascii() and len(word) <= _LONGEST_SHORT)


@cache
def _leading_spellings() -> frozenset[str]:
    return frozenset(
        _fold_spelling(one.strip()) for one in LEADING_FORMS.replace("\n", " ").split(",")
    )


def _fold_spelling(written: str) -> str:
    return "".join(word.plain for word in fold_words(transliterate_to_latin(written, person=False)))
