"""Parse one name: its words, legal form, titles and context. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from apps.reference.names.payee import titles
from apps.reference.names.payee.disguises import find_disguised_words
from apps.reference.names.payee.legal_form_table import SOLE_TRADERS, SPLIT_FORMS
from apps.reference.names.payee.legal_forms import LegalFormSpan, find_legal_form, is_native_form
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.normalization import (
    APOSTROPHE,
    fold_words,
    is_non_latin,
    transliterate_to_latin,
)
from apps.reference.names.payee.numbered_series import is_numbered_series
from apps.reference.names.payee.trailing_places import is_country_name
from apps.reference.names.payee.values import NameWord, PayeeName
from apps.reference.names.payee.word_roles import is_business_word, role_of_word
from apps.reference.names.scripts import chinese_names
from apps.reference.names.scripts.cjk_legal_forms import strip_cjk_legal_forms
from apps.reference.names.scripts.script_detection import scripts_of, unify_script
from apps.reference.names.scripts.text_cleaning import normalize_letters

MOST_CHARACTERS, MOST_WORDS = 300, 16
_MOST_FORMS = 3
_LEAST_DIGITS = (
    3  # of a house or postal code, beside two words: else it is a year, or one of a series
)
_ABJAD = re.compile("[\u0590-\u06ff\u0750-\u077f]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uac00-\ud7af]")
_RUN = re.compile(r"[^\W_]+|-(?=\w)|[&+/]")
_TIES = frozenset("&+/")
# how Japanese and Koreans shorten the forms that they write together with a name
_BRACKETED = {
    "(株)": "株式会社",
    "(有)": "有限会社",
    "(同)": "合同会社",
    "(주)": "주식회사",
    "(유)": "유한회사",
}
_SIGNS = dict.fromkeys(map(ord, "™℠®©"))  # no part of a name, and read as letters if kept
_ROADS = """
street st road rd avenue ave lane ln drive dr square sq floor suite unit box strasse str platz weg
allee gasse rue boulevard bd place calle avenida plaza via viale piazza rua straat laan plein gatan
vagen gade vej ulica ul
"""
_STREETS = frozenset(_ROADS.split())
_DRAWN = {
    "株式会社": "kk", "주식회사": "kk", "股份有限公司": "kk", "有限会社": "yk", "유한회사": "yk",
    "有限公司": "yk", "有限责任公司": "yk", "有限責任公司": "yk", "合同会社": "gk",
}  # fmt: skip
_OFFICES = """
branch zweigniederlassung niederlassung filiale succursale sucursal filial office of in the head
headquarters oddzial hq
"""
_BRANCH = frozenset(_OFFICES.split())
_LABEL = re.compile(
    r"^\s*(?:m/s[\s.:]|(?:messrs\.?|beneficiary|payee|account(?: name)?|a/c(?: name)?)\s*[:.])\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _FormSplit:
    """The words of a name without its legal form, the words behind that, and its code.

    `ahead` is a form of one short word before the name: it may as well be a word of it. `native`
    says that the form has letters of its own language (`ООО`, `Şirketi`).
    """

    words: list[NameWord]
    tail: list[NameWord]
    code: str = ""
    ahead: NameWord | None = None
    inside: bool = False
    native: bool = False


@lru_cache(maxsize=4096)
def parse_payee_name(text: str) -> PayeeName:
    """Return a name as it is read; never raises, an unreadable one has no words."""
    written = text[:MOST_CHARACTERS].translate(_SIGNS)
    plain = _LABEL.sub("", normalize_letters(written)).strip()
    if hidden := find_disguised_words(plain):
        plain = " ".join(unify_script(word, scripts_of(word)) for word in plain.split())
    bare, drawn = strip_cjk_legal_forms(_expand_bracketed_forms(plain))
    # read as a person's first, since only the words show whether a company is meant; a form in
    # characters shows it at once
    formed = _split_legal_forms(_split_latin_words(transliterate_to_latin(bare, person=not drawn)))
    sole = formed.code in SOLE_TRADERS
    company = bool(drawn or (formed.code and not sole)) or _has_company_words(formed.words)
    family, comma, given = bare.partition(",")
    # `LAST, First`: the words are read again in their usual order
    if comma and not (
        company
        or "," in given
        or titles.are_postnominals(_RUN.findall(titles.join_dotted_letters(given)))
    ):
        formed = _split_legal_forms(
            _split_latin_words(transliterate_to_latin(f"{given} {family}", person=True))
        )
    # a company after all: its words in other scripts are read otherwise than a person's
    if company and not drawn and not bare.isascii():
        formed = _split_legal_forms(_split_latin_words(transliterate_to_latin(bare, person=False)))
    unvowelled = _ABJAD.search(plain) is not None
    before, words, suffix = _split_titles(formed.words, company=company or unvowelled)
    around = [word.plain for word in (*before, *formed.words[len(before) + len(words) :])]
    return PayeeName(
        text=text,
        words=tuple(words[:MOST_WORDS]),
        legal=formed.code or next((_DRAWN[one] for one, _form in drawn), ""),
        native=bool(drawn) or formed.native or any(map(is_native_form, _RUN.findall(plain))),
        address=titles.detect_form_of_address(around),
        ahead=formed.ahead,
        before=tuple(before),
        suffix=suffix,
        ideographs=chinese_names.simplify_han("".join(_IDEOGRAPH.findall(bare))),
        behind=tuple(word.plain for word in formed.tail),
        titled=bool(before) or len(words) + bool(suffix) < len(formed.words),
        foreign=is_non_latin(plain),
        unvowelled=unvowelled,
        disguised=hidden,
        inside=formed.inside,
        company=company,
    )


def _expand_bracketed_forms(text: str) -> str:
    if "(" not in text or text.isascii():
        return text
    for short, form in _BRACKETED.items():
        text = text.replace(short, form)
    return text


def _split_latin_words(text: str) -> list[NameWord]:
    """Return the words of a text in Latin letters, and which a hyphen joins to the one before."""
    found: list[NameWord] = []
    linked = tied = False
    for run in _RUN.findall(titles.join_dotted_letters(APOSTROPHE.sub("", text))):
        if run == "-":
            linked = bool(found)
            continue
        if run in _TIES:
            # a sign ties only initials (`A&B`); between words it is left out like any other
            tied = bool(found) and found[-1].is_initial
            continue
        tied = tied and len(run) == 1
        found += [NameWord(run, one.plain, one.told, linked, tied) for one in fold_words(run)[:1]]
        linked = tied = False
        # twice as many as are kept: forms and titles are still to be taken off
        if len(found) > 2 * MOST_WORDS:
            break
    return found


def _split_legal_forms(words: list[NameWord]) -> _FormSplit:
    """Return words without leading or trailing legal forms, and the text after such a form."""
    tail: list[NameWord] = []
    code, ahead, native = "", None, False
    # forms may follow one another (`GmbH & Co. KG`)
    for _time in range(_MOST_FORMS):
        plausible_form = _find_plausible_form(words) if code not in SOLE_TRADERS else None
        if plausible_form is None or (
            code and not plausible_form.start and {code, plausible_form.code} not in SPLIT_FORMS
        ):
            break
        native = native or any(
            not w.written.isascii() for w in words[plausible_form.start : plausible_form.end]
        )
        behind = words[plausible_form.end :] if plausible_form.start else []
        if behind and (code or not _is_place_or_address(behind)):
            # its words go on behind the form: `Acme Ltd Pension Fund` is no Acme
            words = [*words[: plausible_form.start], *behind]
            return _FormSplit(words, tail, code or plausible_form.code, ahead, not code, native)
        if not plausible_form.start and plausible_form.end == 1 and len(words[0].plain) > 1:
            ahead = words[0]
        tail = behind or tail
        words = (
            words[: plausible_form.start] if plausible_form.start else words[plausible_form.end :]
        )
        code = code or plausible_form.code
    return _FormSplit(words, tail, code, ahead, native=native)


def _find_plausible_form(words: list[NameWord]) -> LegalFormSpan | None:
    """Return the legal form of a row of words; `Maria Sá` and `Se Kim` have none."""
    form_span = find_legal_form([word.plain for word in words]) if len(words) > 1 else None
    if form_span is None:
        return None
    run = words[form_span.start : form_span.end]
    short = len(run) == 1 and len(run[0].plain) == 2
    strange = not (run[0].written.isascii() or is_native_form(run[0].written))
    if short and (strange or _is_person_word(words, form_span)):
        return None
    return form_span


def _is_person_word(words: list[NameWord], form_span: LegalFormSpan) -> bool:
    """Return whether a word of two letters is rather a name: beside a single given name."""
    rest = [*words[: form_span.start], *words[form_span.end :]]
    titled = words[form_span.start].written.istitle()
    return titled and len(rest) == 1 and is_common_given_name(rest[0].plain)


def _has_company_words(words: list[NameWord]) -> bool:
    """Return whether a name without a legal form is that of a company, by its words."""
    rows = [word.plain for word in words]
    rows = rows[titles.count_leading_degrees(rows) :]
    if any(
        row.isdigit() or (is_business_word(row) and not is_common_given_name(row)) for row in rows
    ):
        return True
    return len(words) > 1 and is_numbered_series(words)


def _split_titles(
    words: list[NameWord], *, company: bool
) -> tuple[list[NameWord], list[NameWord], str]:
    """Return the titles before a name, its words, and the generation behind it."""
    rows = [word.plain for word in words]
    start = titles.count_leading_titles(rows, company=company)
    if company:
        return words[:start], words[start:], ""
    end, suffix = titles.find_name_end([word.written for word in words], rows)
    return words[:start], words[start : max(start, end)], suffix


def _is_place_or_address(tail: list[NameWord]) -> bool:
    """Return whether words behind a legal form speak of a place or branch, or are an address."""
    numbers = [word for word in tail if word.plain.isdigit() and len(word.plain) >= _LEAST_DIGITS]
    if numbers and len(tail) - len(numbers) >= _LEAST_DIGITS - 1:
        return True
    rows = {word.plain for word in tail}
    if rows & _STREETS and any(row.isdigit() for row in rows) and len(tail) > _LEAST_DIGITS - 1:
        return True
    if all(word.plain in _BRANCH or role_of_word(word.plain) == "place" for word in tail):
        return True
    return is_country_name(" ".join(word.plain for word in tail if word.plain not in _BRANCH))
