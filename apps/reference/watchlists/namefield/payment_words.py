"""Takes from the edges of a name what a payment says beside it: words of accounts, codes, kin.

`payee …`, `… USD`, `/123456/…`, `… born 1965`, `… wife of …`: none of it is a part of a name.
"""

import re
from collections.abc import Callable
from functools import lru_cache

import pycountry

from apps.reference.names.field.word_tests import (
    collect_first_words,
    is_company_name,
    is_place_name,
    parse_phrases,
    split_words,
)
from apps.reference.names.words.word_classes import PERSON_NAMES

_PAYMENT = """
payee, payer, beneficiary, benef, bnf, remitter, acct, a/c, acc, iban, bic, swift, dob, kto, cta,
r/s, pmt, pymt, inv, ref, tel, passport
"""
_ACCOUNT = """
account, accounts, account holder, holder, number, no, nr, personal, private, individual, savings,
current, checking, joint, salary, wages, pension, payment, payments, transfer, remittance, deposit,
cash, urgent, invoice, rent, loan, bill, citizen, citizenship, national, nationality, resident,
born, born in, of birth, date of birth, birth, sender, receiver, recipient, debtor, creditor,
client, customer, originator, amount, currency, konto, kontoinhaber, zahlung,
gehalt, überweisung, bürger, geboren, geb, empfänger, zahler, compte, titulaire, paiement,
virement, citoyen, né, née, bénéficiaire,
cuenta, titular, pago, ciudadano, nacido, beneficiario, conto, pagamento,
cittadino, nato, conta, cidadão, rekening, betaling, счет, счёт, гражданин, получатель, платеж,
платёж, перевод, рождения, родился
"""
_KIN = """
wife of, husband of, spouse of, widow of, widower of, son of, daughter of, child of, father of,
mother of, brother of, sister of, nephew of, niece of, cousin of, uncle of, aunt of, partner of,
relative of, fiancée of, fiance of, ehefrau von, ehemann von, sohn von, tochter von, witwe von,
bruder von, schwester von, épouse de, époux de, femme de, mari de, fils de, fille de, veuve de,
frère de, sœur de, esposa de, esposo de, hijo de, hija de, viuda de, hermano de, hermana de,
moglie di, marito di, figlio di, figlia di, vedova di, filho de, filha de, жена, супруга, сын,
дочь, вдова
"""
_STROKES = re.compile(r"^\W*(?=(?:[^\s/\d]*\d){3})[^\s/]+/{1,2}\s*(?=[^\W\d])")
_NUMBERED = re.compile(r"(?=(?:\D*\d){3})[\w./-]+|\d[\d./-]*|[A-Z]{2}\d\d")
_ACCOUNTED = re.compile(r"(?=(?:\D*\d){8})[\w./-]+")
_JOINING = frozenset({"to", "from", "for", "of", "in", "at", "by"})
_TRIM = " ,.:;/\\-–—_*#'\"()"
_LEAST = 2  # words of a name that is left
_NO_WORD = 40  # letters of what nobody is called


@lru_cache(maxsize=1)
def _currency_codes() -> frozenset[str]:
    """Return the alphabetic codes of ISO 4217 that are no given name."""
    codes = {currency.alpha_3 for currency in pycountry.currencies}
    return frozenset(code for code in codes if code.lower() not in PERSON_NAMES)


@lru_cache(maxsize=1)
def _payment_words() -> frozenset[str]:
    return frozenset(parse_phrases(_PAYMENT))


@lru_cache(maxsize=1)
def _account_words() -> frozenset[str]:
    return (
        frozenset(word for phrase in parse_phrases(_ACCOUNT) for word in phrase.split()) - _JOINING
    )


@lru_cache(maxsize=1)
def edge_words() -> frozenset[str]:
    """Return lower-case words; every plain text with such an edge has one of them."""
    told = collect_first_words([*parse_phrases(_PAYMENT), *parse_phrases(_KIN)]) | _account_words()
    return told | {code.lower() for code in _currency_codes()}


@lru_cache(maxsize=1)
def _kinship_pattern() -> "re.Pattern[str]":
    listed = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in parse_phrases(_KIN))
    return re.compile(rf"(?:^|(?<=[\s,(]))(?:{listed}|[swd]/o)(?=\s)", re.IGNORECASE)


def split_at_kinship(text: str) -> list[str]:
    """Return the names beside words of kinship, the first perhaps empty; nothing without one."""
    sides = [side.strip(_TRIM) for side in _kinship_pattern().split(text)]
    whole = [len(split_words(side)) >= _LEAST for side in sides[1:]]
    return sides if whole and all(whole) else []


def strip_edges(text: str) -> str:
    """Return what is left of a name without words of payments at its edges; at least two words.

    Companies are called by such words too (`Citizen Watch`): from theirs only what never is.
    """
    bare = _STROKES.sub("", text)
    left = _cut_edges(bare, _is_edge_word)
    return _cut_edges(bare, _is_never_a_name) if is_company_name(left) else left


def find_person_within(text: str) -> str:
    """Return the two words or more that are left without payments and places; else nothing."""
    left = _cut_edges(_STROKES.sub("", text), _is_edge_or_place)
    return "" if left == text.strip() or is_company_name(left) else left


def _cut_edges(text: str, beside: Callable[[str], bool]) -> str:
    written = text.split()
    first, last = 0, len(written)
    while last - first > _LEAST and _is_leading_edge(written[first], beside):
        first += 1
    if written[first : first + 1] and written[first].lower() in _JOINING:
        first = 0  # `payment to …` says more than a label
    while last - first > _LEAST and beside(written[last - 1].strip(_TRIM)):
        last -= 1
    # untouched where nothing was cut: signs at the edges may belong to the name
    left = " ".join(written[first:last]).strip(_TRIM) if last - first < len(written) else text
    return left if len(split_words(left)) >= _LEAST else text


def _is_leading_edge(word: str, beside: Callable[[str], bool]) -> bool:
    return word.lower() not in _JOINING and beside(word.strip(_TRIM))


def _is_never_a_name(word: str) -> bool:
    if word.lower() in _payment_words():
        return True
    return len(word) >= _NO_WORD or _ACCOUNTED.fullmatch(word) is not None


def _is_edge_word(word: str) -> bool:
    # `All` and `Ron` are words and names, `ALL` and `RON` currencies
    if not word or (word.upper() in _currency_codes() and not word.istitle()):
        return True
    told = word.lower() in _account_words() or word.lower() in _JOINING
    return told or _is_never_a_name(word) or _NUMBERED.fullmatch(word) is not None


def _is_edge_or_place(word: str) -> bool:
    return _is_edge_word(word) or (word.lower() not in PERSON_NAMES and is_place_name(word))
