"""Identifiers in a name field: IMO numbers, BICs, LEIs and wallets."""

import re
from collections.abc import Iterator

from stdnum import bic, bitcoin, imo

from apps.platform.common.lei import is_valid_lei
from apps.reference.watchlists.listed_entity import Identifier

_NUMBER_SIGN = r"(?:\s?(?:no|nr|num|number|n°|nº|№|code)\b)?[\s.:#/=-]*"
_IMO = re.compile(rf"\bIMO{_NUMBER_SIGN}(\d{{7}})\b", re.IGNORECASE)
_SHIP = re.compile(r"^\W*(?:m\W?[vty]|s\W?s|vessel|ship|tanker|motor vessel)\b|\bvessel\b", re.I)
_SEVEN = re.compile(r"(?<![\w/-])(\d{7})(?![\w/-])")
_LABELLED_BIC = re.compile(
    rf"\b(?:bic|swift)(?:[\s/-]?(?:bic|swift|code))*{_NUMBER_SIGN}"
    r"([a-z]{6}[a-z0-9]{2}(?:[a-z0-9]{3})?)\b",
    re.IGNORECASE,
)
_BARE_BIC = re.compile(r"\b[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?\b")
BIC_LENGTHS = (8, 11)
CODE_WORDS = frozenset({"bic", "swift"})
_LEI = re.compile(rf"(?:\bLEI{_NUMBER_SIGN})?\b([A-Z0-9]{{18}}\d\d)\b", re.IGNORECASE)
# assets, schemes of URIs (BIP 21, EIP-681) and chains with their references (CAIP-2)
_CHAIN = r"ethereum|bitcoin|bitcoincash|litecoin|tron|eip155:\d+|bip122:[0-9a-f]{32}"
_LABEL = (
    r"(?:\b(?i:wallet|address|btc|xbt|eth|usdt|usdc|trx|ltc|xrp|xmr|bch"
    rf"|(?:{_CHAIN})(?=:))\b[\s.:#=-]*)*"
)
_WALLET = re.compile(
    rf"{_LABEL}\b(0[xX][0-9a-fA-F]{{40}}|(?:bc1|ltc1)[a-z0-9]{{20,80}}|(?:BC1|LTC1)[A-Z0-9]{{20,80}}"
    r"|[qp][a-z0-9]{41}|[QP][AC-HJ-NP-Z02-9]{41}|[1-9A-HJ-NP-Za-km-z]{26,106})\b"
)
_MIXED = (re.compile(r"\d"), re.compile("[a-z]"), re.compile("[A-Z]"))
_LONGEST_BITCOIN = 35  # letters of an address in base 58
_CASH_ADDRESS = 42  # letters of a Bitcoin Cash address without its prefix


def extract_identifiers(text: str) -> tuple[tuple[Identifier, ...], str]:
    """Return the identifiers in `text`, and the text without those that cannot be words of it.

    Check digits are checked where the kind has them. A BIC in capitals needs no word before it;
    without a digit it stays in the text as well, for eight capitals may be a word.
    """
    found: dict[tuple[str, str], Identifier] = {}
    left = text
    for kind, value, written in _iter_identifiers(text):
        found[kind, value] = Identifier(kind=kind, value=value)
        if written:
            left = left.replace(written, " ")
    return tuple(found.values()), left


def _iter_identifiers(text: str) -> Iterator[tuple[str, str, str]]:
    yield from _iter_imo_numbers(text)
    yield from _iter_bics(text)
    for match in _LEI.finditer(text):
        if is_valid_lei(match[1].upper()):
            yield "lei", match[1].upper(), match[0]
    for match in _WALLET.finditer(text):
        if _is_wallet_address(match[1]):
            yield "wallet", match[1], match[0]


def _iter_imo_numbers(text: str) -> Iterator[tuple[str, str, str]]:
    matches = list(_IMO.finditer(text))
    # seven digits alone are any number; beside a word for a ship they may be its IMO number
    if not matches and _SHIP.search(text):
        matches = list(_SEVEN.finditer(text))
    for match in matches:
        if imo.is_valid(match[1]):
            yield "imo", match[1], match[0]


def _iter_bics(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _LABELLED_BIC.finditer(text):
        if bic.is_valid(match[1].upper()):
            yield "bic", match[1].upper(), match[0]
    for match in _BARE_BIC.finditer(text):
        if bic.is_valid(match[0]):
            alone = match[0] == text.strip(" ()[].,;")
            digit = bool(_MIXED[0].search(match[0]))
            yield "bic", match[0], match[0] if digit and not alone else ""


def _is_wallet_address(written: str) -> bool:
    """Return whether it is built as a wallet is; bitcoin's check digits are checked."""
    small = written.lower()
    # hexadecimal addresses need no check digits (EIP-55 is optional), and bitcoin's check does not
    # know Litecoin's prefix
    if small.startswith(("0x", "ltc1")):
        return True
    if small.startswith("bc1"):
        return bitcoin.is_valid(small)
    if written[0] in "13" and len(written) <= _LONGEST_BITCOIN:
        return bitcoin.is_valid(written)
    # base58 of chains whose check digits are not known here: a digit and both cases are no word
    mixed = all(pattern.search(written) for pattern in _MIXED)
    one_case = written in (small, written.upper())
    return mixed or (len(written) == _CASH_ADDRESS and small[0] in "qp" and one_case)
