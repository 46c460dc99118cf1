"""Exact identifiers: the form in which two of a kind compare, and the key they are filed under."""

import re
import unicodedata

from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.matching.mapped_files import hash_text

LEAST_ADDRESS = 20  # letters and digits of a wallet's address; a chain's name has fewer
# what parts the address from the chain before it (`bitcoin:`, CAIP-10) and from a number after it
_PARTS = re.compile(r"[\s:/@]+(?:pay-(?=0x))?", re.IGNORECASE)  # `ethereum:pay-0x…`: EIP-681
_HEX = re.compile(r"(?:0x|xdc)?([0-9a-f]{40})|0x[0-9a-f]+", re.IGNORECASE)
_BECH32_LETTERS = "02-9ac-hj-np-z"
# BIP 173, in capitals too; of Bitcoin Cash with the letters of the kinds of its addresses
_BECH32 = re.compile(
    rf"(?:[a-z]{{1,15}}1[{_BECH32_LETTERS}]{{20,}}|[qprz][{_BECH32_LETTERS}]{{41}})"
)
_ALWAYS_BECH32 = ("bc1", "tb1", "ltc1")


def normalize_identifier(*, kind: str, value: str) -> str:
    """Return `value` without separators, in one case, with plain digits (NFKC).

    Of a wallet it is the address without its chain; its letters keep their case where that
    means something.
    """
    if value.isascii():
        text = value
    else:
        letters = unicodedata.normalize("NFKC", value)
        # NFKC leaves the digits of other scripts (Arabic, Devanagari) as they are
        text = "".join(str(unicodedata.decimal(letter, letter)) for letter in letters)
    if kind == "wallet":
        return _normalize_wallet(text)
    bare = _keep_alphanumeric(text)
    if kind == "imo":
        return "".join(letter for letter in bare if letter.isdigit())
    if kind == "bic":
        # ISO 9362: the branch code XXX is the head office, which eight characters mean as well
        return bare.upper()[:11].removesuffix("XXX")
    return bare.upper()


def compute_identifier_key(identifier: Identifier) -> int:
    """Return the key under which an identifier is filed."""
    normal = normalize_identifier(kind=identifier.kind, value=identifier.value)
    return hash_text(f"{identifier.kind}:{normal}")


def _keep_alphanumeric(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _normalize_wallet(text: str) -> str:
    """Return a wallet's address: hexadecimal and bech32 in small letters, others as written."""
    # what follows a question mark in a payment URI (BIP 21, EIP-681) is amount and label
    parts = [_keep_alphanumeric(part) for part in _PARTS.split(text.partition("?")[0])]
    whole = "".join(parts)
    # from the end: the address follows its scheme and chain; no part is long enough where spaces
    # divide the address itself
    bare = next((part for part in reversed(parts) if len(part) >= LEAST_ADDRESS), whole)
    if found := _HEX.fullmatch(bare):
        # XDC writes the same 20 bytes with the prefix `xdc`
        return f"0x{found[1]}".lower() if found[1] else bare.lower()
    small = bare.lower()
    # BIP 173 refuses mixed case; of base58, whose case matters, no address is folded
    one_case = bare in (small, bare.upper()) or small.startswith(_ALWAYS_BECH32)
    return small if one_case and _BECH32.fullmatch(small) else bare
