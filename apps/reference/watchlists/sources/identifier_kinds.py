"""Exact identifiers: the kind of a bare value, by its check digits if it has any."""

import hashlib
import re

from apps.platform.common.lei import is_valid_lei

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

# that it was obtained by fraud makes no document false: its number is the party's all the same
_CALLED_FALSE = re.compile(r"\b(?:false(?:ly)?|falsified|forged|forgery|counterfeit|fake)\b", re.I)
_IMO = re.compile(r"(?:IMO)?\s*(\d{7})")
_EVM = re.compile(r"0x[0-9a-fA-F]{40}")
_BECH32 = re.compile(r"(bc1|ltc1)[02-9ac-hj-np-z]{25,87}")
_BASE58 = re.compile(rf"[{BASE58}]{{26,35}}")
_BASE58_ASSETS = {0x00: "XBT", 0x05: "XBT", 0x30: "LTC", 0x41: "TRX", 0x1E: "DOGE", 0x4C: "DASH"}


def is_false_document(text: str) -> bool:
    """Return whether what a list says of a document calls it false."""
    return bool(_CALLED_FALSE.search(text))


def is_lei_value(value: str) -> bool:
    """Return whether a value is an LEI but for blanks around it and its case, which lists vary."""
    return is_valid_lei(value.strip().upper())


def parse_imo_number(value: str) -> str:
    """Return the seven digits of an IMO ship number whose check digit holds, else ""."""
    match = _IMO.fullmatch(value.strip().upper())
    if not match or not match[1].isascii():
        return ""
    digits = [int(char) for char in match[1]]
    # the last digit is that of the sum of the first six times 7 to 2 (IMO ship number scheme)
    total = sum(digit * weight for digit, weight in zip(digits, range(7, 1, -1), strict=False))
    return match[1] if total % 10 == digits[6] else ""


def detect_wallet_asset(value: str) -> str:
    """Return the asset that a crypto wallet address belongs to, "" when it is no such address."""
    if _EVM.fullmatch(value):
        return "ETH"
    if match := _BECH32.fullmatch(value):
        return "XBT" if match[1] == "bc1" else "LTC"
    if not _BASE58.fullmatch(value):
        return ""
    number = 0
    for char in value:
        number = number * 58 + BASE58.index(char)
    # a version byte, 20 bytes of hash and 4 of checksum (Base58Check)
    if number >= 256**25:
        return ""
    raw = number.to_bytes(25, "big")
    check = hashlib.sha256(hashlib.sha256(raw[:21]).digest()).digest()[:4]
    return _BASE58_ASSETS.get(raw[0], "") if check == raw[21:] else ""


def classify_identifier(value: str) -> tuple[str, str]:
    """Return (kind, asset) of an identifier that the list prints without saying what it is."""
    if is_lei_value(value):
        return "lei", ""
    if value.upper().startswith("IMO") and parse_imo_number(value):
        return "imo", ""
    if asset := detect_wallet_asset(value):
        return "wallet", asset
    return "other", ""
