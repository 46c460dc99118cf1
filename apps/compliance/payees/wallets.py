"""Wallet addresses: of which chain one is, whether its checksum holds, and its one form. Pure.

Where the form of an address names its chain, it must keep that chain's rules. What no rule here
knows is kept as it is written, and `checked` says so.
"""

import re
from base64 import b32decode
from binascii import crc_hqx
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from base58 import BITCOIN_ALPHABET, RIPPLE_ALPHABET, b58decode
from eth_utils.address import is_checksum_formatted_address, to_checksum_address
from stdnum import bitcoin
from stdnum.exceptions import ValidationError as NotBitcoin

LONGEST_WALLET = 128
# 10 to 128 letters, digits, and what parts a chain from an address
WALLET_PATTERN = r"[A-Za-z0-9][A-Za-z0-9:._-]{9,127}"
ZERO = "0x" + 40 * "0"
_SEPARATORS = re.compile(r"[:._-]")
_DIGITS = re.compile(r"[0-9a-fA-F]{40}")
_PADDED = re.compile(r"(?:0[xX])?0{24}([0-9a-fA-F]{40})")  # to 32 bytes
# Tron, and Bitcoin's older accounts, as spreadsheets fold them
_ONE_CASE = (re.compile(r"(?i)t[0-9a-z]{33}"), re.compile(r"(?i)[13](?=.*[a-z])[0-9a-z]{32,33}"))
_EVM = re.compile(r"0[xX][0-9a-fA-F]{40}")
_TAPROOT = 0x2BC830A3  # BIP-350: checksum constant of bech32m
_HRP = (3, 3, 0, 2, 3)  # `bc` as BIP-173 expands it
SOLANA_KEY_BYTES = 32
# the alphabet in the order of its values (BIP-173)
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_STELLAR_ACCOUNT = 6 << 3  # SEP-23: `G…`


class Family(StrEnum):
    """Chains that share one form of address."""

    EVM = "EVM"
    BITCOIN = "BITCOIN"
    TRON = "TRON"
    XRPL = "XRPL"
    STELLAR = "STELLAR"
    SOLANA = "SOLANA"
    OTHER = "OTHER"


class BadWallet(ValueError):
    """The text is not an address; has a sentence with the reason."""


@dataclass(frozen=True, slots=True)
class Wallet:
    """An address in its one form: for EVM the EIP-55 checksum form, else as it is written."""

    address: str
    family: Family

    @property
    def checked(self) -> bool:
        """Whether the address was validated by its chain's rules; not for other chains."""
        return self.family is not Family.OTHER


@dataclass(frozen=True, slots=True)
class AddressForm:
    """How the addresses of a chain look, in words too, and what more they must keep."""

    family: Family
    words: str
    looks: re.Pattern[str]
    read: Callable[[str], str]
    source: str


def parse_wallet(text: str) -> Wallet:
    """Return a wallet by its address as people write it; raises BadWallet for anything else."""
    if not re.fullmatch(WALLET_PATTERN, text):
        raise BadWallet("This is not a wallet address.")
    text = _strip_chain_prefix(text)
    form = next(
        (address_form for address_form in FORMS if address_form.looks.fullmatch(text)), None
    )
    return Wallet(form.read(text), form.family) if form else Wallet(text, Family.OTHER)


def _strip_chain_prefix(text: str) -> str:
    """Return an address without a chain prefix, so that it has one form.

    `eip155:1:0x…` (CAIP-10), `ethereum:0x…` (a payment link) and `eip155-1-0x…` (one that went
    through a file's name) are the account's own address, 40 hexadecimal digits are one that lost
    its 0x, and 64 that begin with noughts are one as logs of a chain write it. What else has a
    chain before it stays whole only where the rest is no address that is known here.
    """
    # the address is what comes last: `eip155:1:0x…`, `ethereum:0x…`
    rest = _SEPARATORS.split(text)[-1]
    if padded := _PADDED.fullmatch(rest):
        return f"0x{padded[1]}"
    if _DIGITS.fullmatch(rest):
        return f"0x{rest}"
    if rest != text and any(form.looks.fullmatch(rest) for form in FORMS):
        return rest
    is_folded_case = rest in (rest.lower(), rest.upper()) and any(
        looks.fullmatch(rest) for looks in _ONE_CASE
    )
    if is_folded_case:
        raise BadWallet("This address has lost its capital letters: copy it again.")
    return text


def _parse_evm(text: str) -> str:
    if not _EVM.fullmatch(text):
        raise BadWallet("An EVM address is 0x and 40 hexadecimal digits.")
    digits = text[2:]
    plain = f"0x{digits}"
    # EIP-55 puts the checksum into the case of letters: one case has none to check
    mixed = digits not in (digits.lower(), digits.upper())
    evm = str(to_checksum_address(plain))
    if mixed and (not is_checksum_formatted_address(plain) or evm != plain):
        raise BadWallet("The checksum of this EVM address is wrong (EIP-55): copy it again.")
    if evm == ZERO:
        raise BadWallet("The zero address has no holder.")
    return evm


def _parse_bitcoin(text: str) -> str:
    low = text.lower()
    if low.startswith("bc1"):
        # BIP-173 forbids mixed case, which hides slips
        if text not in (low, text.upper()):
            raise BadWallet("A bech32 address is in one case, never in both (BIP-173).")
        text = low
    # stdnum knows the checksum of bech32 alone; taproot addresses have that of bech32m
    if low.startswith("bc1p"):
        values = [_BECH32.find(character) for character in low[3:]]
        whole = len(low) == 62 and -1 not in values
        if not whole or bitcoin.bech32_checksum((*_HRP, *values)) != _TAPROOT:
            raise BadWallet("The checksum of this Bitcoin address is wrong: copy it again.")
        return low
    try:
        return str(bitcoin.validate(text))
    except NotBitcoin as error:
        raise BadWallet("The checksum of this Bitcoin address is wrong: copy it again.") from error


def _verify_base58check(text: str, *, alphabet: bytes, version: int, chain: str) -> str:
    """Return an address of a version byte and 20 bytes with a Base58Check checksum."""
    base58 = _decode_base58(text, alphabet)
    body, checksum = base58[:-4], base58[-4:]
    # version byte, 20 bytes of hash, 4 bytes of checksum
    if len(base58) != 25 or sha256(sha256(body).digest()).digest()[:4] != checksum:
        raise BadWallet(f"The checksum of this {chain} address is wrong: copy it again.")
    if body[0] != version:
        raise BadWallet(f"This is not an account of {chain}.")
    return text


def _parse_tron(text: str) -> str:
    return _verify_base58check(text, alphabet=BITCOIN_ALPHABET, version=0x41, chain="Tron")


def _parse_xrpl(text: str) -> str:
    return _verify_base58check(text, alphabet=RIPPLE_ALPHABET, version=0, chain="XRP Ledger")


def _parse_stellar(text: str) -> str:
    decoded = b32decode(text)
    body, checksum = decoded[:-2], decoded[-2:]
    # CRC16-XModem over version and key, little-endian (SEP-23)
    if body[0] != _STELLAR_ACCOUNT or crc_hqx(body, 0).to_bytes(2, "little") != checksum:
        raise BadWallet("The checksum of this Stellar address is wrong: copy it again.")
    return text


def _parse_solana(text: str) -> str:
    """Return a public key of 32 bytes: Solana's addresses have no checksum."""
    if len(_decode_base58(text, BITCOIN_ALPHABET)) != SOLANA_KEY_BYTES:
        raise BadWallet(
            f"A Solana address is a public key of {SOLANA_KEY_BYTES} bytes, Base58: copy it again."
        )
    return text


def _decode_base58(text: str, alphabet: bytes) -> bytes:
    return bytes(b58decode(text, alphabet=alphabet))


_B58 = "[1-9A-HJ-NP-Za-km-z]"
_BASE58CHECK = "Base58Check"
FORMS = (  # the first whose form it has
    AddressForm(
        Family.EVM,
        "0x and 40 hexadecimal digits",
        # of 64 digits are addresses of Aptos, Sui and Starknet
        re.compile(r"0[xX](?![0-9a-fA-F]{64}$).*"),
        _parse_evm,
        "EIP-55",
    ),
    AddressForm(
        Family.BITCOIN, "bc1…", re.compile("(?i:bc1).*"), _parse_bitcoin, "BIP-173, BIP-350"
    ),
    AddressForm(
        Family.BITCOIN,
        "1… or 3…",
        re.compile(rf"[13]{_B58}{{25,34}}"),
        _parse_bitcoin,
        _BASE58CHECK,
    ),
    AddressForm(Family.TRON, "T…", re.compile(rf"T{_B58}{{33}}"), _parse_tron, _BASE58CHECK),
    AddressForm(Family.XRPL, "r…", re.compile(rf"r{_B58}{{24,34}}"), _parse_xrpl, _BASE58CHECK),
    AddressForm(Family.STELLAR, "G…", re.compile("G[A-Z2-7]{55}"), _parse_stellar, "SEP-23"),
    AddressForm(
        Family.SOLANA,
        "43 or 44 characters of Base58",
        re.compile(rf"{_B58}{{43,44}}"),
        _parse_solana,
        f"a public key of {SOLANA_KEY_BYTES} bytes",
    ),
)


def normalize_wallet(text: str) -> str:
    """Return a wallet in its one form; a text that is none stays as it is."""
    try:
        return parse_wallet(text).address
    except BadWallet:
        return text
