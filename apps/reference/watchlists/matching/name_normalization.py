"""From a written name to comparable tokens, once per name, the same for queries and for lists."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz.distance import OSA
from rigour.names import extract_org_types
from rigour.text import ascii_text

from apps.reference.names.scripts.abjad import is_abjad, normalize_abjad
from apps.reference.names.scripts.cjk import CJK_LETTER, is_phonetic_transcription, romanize_cjk
from apps.reference.names.scripts.cjk_legal_forms import strip_cjk_legal_forms
from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.names.words.arabic_compounds import (
    join_arabic_compounds,
    join_unvowelled_compounds,
)
from apps.reference.names.words.numbers import normalize_numbers
from apps.reference.names.words.slavic_initials import shorten_initials
from apps.reference.names.words.word_classes import (
    ABBREVIATIONS,
    FORMS_OF_WORDS,
    LONG_LEGAL_WORDS,
    PARTICLES,
    SHORT_LEGAL_WORDS,
    TWO_LETTER_FORMS,
)
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.country_name_variants import replace_country_names
from apps.reference.watchlists.matching.transcriptions import HEARD

Group = Literal["person", "thing"]
MAX_TOKENS = 16
MAX_CHARACTERS = 400
_LONGEST_FORM = max(map(len, FORMS_OF_WORDS))
_FORMS = 512  # forms kept: a name is compared with many, and those found are explained

_IDEOGRAPH = re.compile("[\u3400-\u9fff\uac00-\ud7af]")
_LABEL = re.compile(
    r"^\s*(messrs\.?|m/s|shipper\s*:|beneficiary\s*:|ordering customer\s*:|consignee\s*:"
    r"|field \d+\w?\s*:|a/c( name)?\s*:?|account( name)?\s*:)\s*",
    re.IGNORECASE,
)
_VESSEL_PREFIX = re.compile(r"^\s*(m/t|m/v|m\.t\.?|m\.v\.?|s\.s\.?)\s+(?=\w)", re.IGNORECASE)
# titles of a minister or an engineer, in English and French
_HONOURS = re.compile(
    r"^\s*(?:[HS]\.\s?E\.\s+(?:(?:Eng|Ing|Dr|Mr|Mrs|M)\.\s+|Mme\.?\s+)?|Eng\.\s+)(?=\w)",
    re.IGNORECASE,
)
_FORMERLY = re.compile(r"\(\s*(ex|formerly|f/?k/?a|former)\b[^)]*\)", re.IGNORECASE)
_APOSTROPHE = re.compile(r"(?<=\w)[’'ʻʿʾ`´‘](?=\w)")
_DOTTED = re.compile(r"\b(\w)\.(?=\w\b)")
_INITIALS = re.compile(r"\b([^\W\d_])\.(?=[^\W\d_]\b)")
_ABBREVIATION = re.compile(r"(?<![\w.])(?:[^\W\d_]\.){2,}[^\W\d_](?!\w)\.?")
_TOKEN = re.compile(r"[^\W_]+")
_SHUFFLED = {"".join(sorted(form)) for form in SHORT_LEGAL_WORDS if len(form) > 3}
_DOUBLED = re.compile(r"(.)\1+")
_DOUBLED_FORMS = {_DOUBLED.sub(r"\1", form) for form in SHORT_LEGAL_WORDS} - {"o"}
_ABOUT_AS_LONG = {
    size: tuple(form for form in LONG_LEGAL_WORDS if abs(len(form) - size) <= 1)
    for size in range(max(map(len, LONG_LEGAL_WORDS)) + 2)
}
# what `airlines` and `airways` stand for is short: a misspelt one would be like nothing listed
_LEAST_MISSPELT = 6
_LONG_ABBREVIATED = tuple(word for word in ABBREVIATIONS if len(word) > _LEAST_MISSPELT)
_TOKEN_EDGE = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True)
class NormalizedName:
    """A name made comparable: its tokens in order, and what was taken out.

    `legal` holds the legal forms that were taken out, `ideographs` the Han and Hangul letters.
    """

    tokens: tuple[str, ...]
    legal: tuple[str, ...] = ()
    ideographs: str = ""


def group_of_schema(schema: Schema) -> Group:
    """Return which of the two normalisations a schema takes."""
    return "person" if schema == "Person" else "thing"


@lru_cache(maxsize=_FORMS)
def normalize_name(*, name: str, group: Group) -> NormalizedName:
    """Normalise `name`; never raises, an empty or unreadable name has no tokens."""
    text = name[:MAX_CHARACTERS]
    if not text.isascii():
        readable = text.encode("utf-8", "ignore").decode()  # without lone surrogates
        text = unicodedata.normalize("NFKC", readable)
    legal: tuple[str, ...] = ()
    if group == "thing":
        text, legal = _strip_legal_forms(_FORMERLY.sub(" ", _LABEL.sub("", text)))
    ideographs = "" if text.isascii() else "".join(_IDEOGRAPH.findall(text))
    # before transliteration: afterwards nothing shows which script the letters came from
    mark = ABJAD if is_abjad(text) else ""
    if mark:
        text = normalize_abjad(text)
    if not text.isascii() and CJK_LETTER.search(text):
        mark = HEARD if is_phonetic_transcription(text=text, person=group == "person") else mark
        text = romanize_cjk(text=text, person=group == "person", heard=mark == HEARD)
    if group == "person":
        text = _HONOURS.sub("", text)
        text = _INITIALS.sub(r"\1. ", shorten_initials(text))
    tokens = _split_tokens(text)
    # `LAST, First`; more commas are a list, which has no order to restore
    if group == "person" and text.count(",") == 1:
        tokens = _split_tokens(" ".join(reversed(text.split(","))))
    if mark == ABJAD:
        tokens = [text for text, _size in join_unvowelled_compounds(tokens)]
    if group == "thing" and mark != HEARD:
        tokens = _normalize_thing_tokens(tokens)
    elif not mark:  # what Arabic writes as one name is joined already
        tokens = [text for text, _size in join_arabic_compounds(tokens)]
    return NormalizedName(
        tokens=tuple(_add_script_mark(token, mark) for token in tokens[:MAX_TOKENS]),
        legal=legal,
        ideographs=ideographs,
    )


def _add_script_mark(token: str, mark: str) -> str:
    """Return a token with the mark of its script; particles and numbers are heard as they are."""
    plain = mark == HEARD and (token in PARTICLES or not token.isalpha())
    return token if plain else mark + token


def _strip_legal_forms(text: str) -> tuple[str, tuple[str, ...]]:
    lowered = " ".join(_VESSEL_PREFIX.sub("", text.lower()).split()).replace(" and co", " & co")
    lowered = _ABBREVIATION.sub(_join_dotted_abbreviation, lowered)
    # short forms are ordinary words or initials too: only well-known ones of two letters count
    found = [
        (written, form)
        for written, form in extract_org_types(lowered)
        if len(written) > 2 or written in TWO_LETTER_FORMS
    ]
    bare, drawn = strip_cjk_legal_forms(lowered)
    found += drawn
    for written, _form in found:
        bare = re.sub(rf"(?<!\w){re.escape(written.lower())}(?!\w)", " ", bare)
    # a name of nothing but legal forms keeps them: it must not become empty
    if not _TOKEN.search(bare):
        return lowered, ()
    words = bare.split()
    kept = [word for word in words if not _is_misspelt_form(_TOKEN_EDGE.sub("", word))]
    return " ".join(kept) if kept else bare, tuple(sorted({form for _written, form in found}))


def _join_dotted_abbreviation(found: re.Match[str]) -> str:
    """Return a dotted abbreviation as a word, unless all of it is a legal form (`C.A.D.`, `S.A.`).

    Else a form would be cut out of its middle.
    """
    whole = found.group()
    forms = {written for written, _form in extract_org_types(whole)}
    bare = whole.rstrip(".")
    return whole if {whole, bare} & forms else bare.replace(".", "")


def _is_misspelt_form(word: str) -> bool:
    bare = word.replace(".", "")
    if bare in LONG_LEGAL_WORDS:
        return False
    if len(bare) > 5:
        forms = _ABOUT_AS_LONG.get(len(bare), ())
        return any(OSA.distance(bare, form, score_cutoff=1) == 1 for form in forms)
    return bare not in SHORT_LEGAL_WORDS and (
        "".join(sorted(bare)) in _SHUFFLED or _DOUBLED.sub(r"\1", bare) in _DOUBLED_FORMS
    )


def fold_letters(text: str) -> str:
    """Return the letters and digits of a text as they are compared, without what parts them."""
    return "".join(_split_tokens(text))


def _split_tokens(text: str) -> list[str]:
    latin = text.lower() if text.isascii() else (ascii_text(text) or "").lower()
    # a question mark is what the transliteration leaves of a letter that it does not know
    latin = latin.replace("?", "")
    if not _TOKEN.search(latin):
        latin = text.lower()
    latin = _DOTTED.sub(r"\1", _APOSTROPHE.sub("", latin))
    return _TOKEN.findall(latin)


def _normalize_thing_tokens(words: list[str]) -> list[str]:
    kept: list[str] = []
    place = 0
    while place < len(words):
        sizes = range(_LONGEST_FORM, 1, -1)
        size = next((n for n in sizes if tuple(words[place : place + n]) in FORMS_OF_WORDS), 0)
        kept += [] if size else words[place : place + 1]
        place += size or 1
    words = kept or words
    words = [_expand_abbreviation(word) for word in words if word != "and"] or words
    words = replace_country_names(words)
    joined: list[str] = []
    run = ""
    # single letters in a row are one token: `A B C Trading` and `ABC Trading` are the same
    for token in normalize_numbers(words):
        if len(token) == 1 and token.isalpha():
            run += token
            continue
        joined += [run, token] if run else [token]
        run = ""
    return [*joined, run] if run else joined


@lru_cache(maxsize=4096)
def _expand_abbreviation(word: str) -> str:
    """Return the expansion of a company word; a long one may have a typing error."""
    if (meant := ABBREVIATIONS.get(word)) is not None or len(word) < _LEAST_MISSPELT:
        return meant or word
    misspelt = (long for long in _LONG_ABBREVIATED if OSA.distance(word, long, score_cutoff=1) == 1)
    return ABBREVIATIONS[long] if (long := next(misspelt, "")) else word
