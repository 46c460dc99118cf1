"""Strip payment purposes around a name: invoice numbers, what is paid for. Pure.

Words of payments that companies also bear count only with a number beside them, or behind a legal
form: `Order 66 Films` is a name, `Invoice 4411 Acme` holds one.
"""

import re

from apps.reference.names.payee.legal_forms import has_trailing_legal_form
from apps.reference.names.scripts.text_cleaning import normalize_letters

# never the name of anybody; two digits of a number suffice behind them
_SURE = """
invoice invoices rechnung rechnungsnummer facture factura fattura faktura fatura factuur lasku ref
reference referenz kundennummer customer account verwendungszweck счет счёт рахунок
"""
# these need three
_PERHAPS = """
inv re rg po order bestellung commande pedido contract vertrag policy bill kd kdnr
"""
_DIGITS = {**dict.fromkeys(_SURE.split(), 2), **dict.fromkeys(_PERHAPS.split(), 3)}
_NUMBERED = frozenset(["no", "nr", "num", "number", "n", "nº", "n°"])
_JOINTS = frozenset("-/._")
_AROUND = " \t\n,;:.#()[]–-/"
_MOST_TOLD = 8  # words of a reference
_PAID = """
rent deposit salary wages payment balance instalment installment refund fee fees subscription dues
prepayment advance invoice invoices miete kaution gehalt lohn zahlung anzahlung restzahlung rate
beitrag loyer acompte salaire solde alquiler deposito nomina pago cuota affitto acconto stipendio
saldo huur salaris hyra hyre czynsz thanks
"""
_MONTHS = """
january february march april may june july august september october november december jan feb mar
apr jun jul aug sep sept oct nov dec januar februar marz mai juni juli oktober dezember janvier
fevrier mars avril juin juillet aout septembre octobre novembre decembre enero febrero marzo abril
mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno
luglio settembre ottobre dicembre q1 q2 q3 q4
"""
_PURPOSES = frozenset(_PAID.split())
_BESIDE = frozenset((_PAID + _MONTHS + "for of the final first last 1st 2nd re").split())
_WORD = re.compile(r"[^\W_]+")
_MOST = 4
_LEAST = 2  # letters of a name
_MOST_CHARACTERS = 300


def strip_payment_purpose(text: str) -> str:
    """Return a submitted text without what it says of a payment; empty where it says nothing.

    What is left holds at least two letters.
    """
    text = normalize_letters(text[:_MOST_CHARACTERS]).strip()
    words = list(_WORD.finditer(text))
    end = _find_reference_end(text, words, 0)
    bare = text[words[end - 1].end() :].strip(_AROUND) if end else text
    bare = _strip_trailing_reference(bare)
    bare = _strip_paid_words(bare).strip()
    letters = sum(letter.isalpha() for letter in bare)
    return bare if bare != text and letters >= _LEAST else ""


def _strip_trailing_reference(text: str) -> str:
    words = list(_WORD.finditer(text))
    # from the longest possible reference on, so that none is cut off in part
    for start in range(max(1, len(words) - _MOST_TOLD), len(words)):
        if _find_reference_end(text, words, start) == len(words):
            return text[: words[start].start()].rstrip(_AROUND)
    return text


def _find_reference_end(text: str, words: list[re.Match[str]], start: int) -> int:
    """Return where the words of a reference that begins at a word end; 0 where none does."""
    least = _DIGITS.get(words[start][0].lower(), 0) if words else 0
    at = start + 1
    if at < len(words) and words[at][0].lower() in _NUMBERED:
        at += 1
    digits = 0
    while (
        least
        and at < len(words)
        and (not digits or _are_joined_by_sign(text, words[at - 1 : at + 1]))
    ):
        found = sum(letter.isdigit() for letter in words[at][0])
        if not (found or digits):
            break
        digits += found
        at += 1
    return at if least and digits >= least else 0


def _are_joined_by_sign(text: str, pair: list[re.Match[str]]) -> bool:
    """Return whether exactly one sign and no space is between two words."""
    between = text[pair[0].end() : pair[1].start()]
    return between in _JOINTS


def _strip_paid_words(text: str) -> str:
    """Return a text without words of a payment behind a legal form (`Acme Ltd March rent`)."""
    words = list(_WORD.finditer(text))
    start = len(words)
    while start and len(words) - start < _MOST and _is_purpose_word(words[start - 1][0]):
        start -= 1
    tail = [word[0].lower() for word in words[start:]]
    if not start or not _PURPOSES & set(tail):
        return text
    head = text[: words[start - 1].end()]
    # `Rent` or `March` without a form before it may be part of the name itself
    return head if has_trailing_legal_form([word[0] for word in words[:start]]) else text


def _is_purpose_word(word: str) -> bool:
    return word.lower() in _BESIDE or word.isdigit()
