"""Say where a wallet goes in an account, beside a fault of an account that holds one. Pure.

Rows 24 to 26 of the mapping table (docs/pain001.md). A schema fault names lengths and elements
only, from which nobody who sends a wallet for the first time can tell where it belongs.
"""

import re

from apps.compliance.payees.wallets import WALLET_PATTERN, BadWallet, parse_wallet
from apps.payments.payments.pain001.tree import Node

# the scheme of an account number that is a wallet (row 25)
WALLET = "WALLET"
ACCOUNTS = ("CdtrAcct", "DbtrAcct")
_NUMBERS = (("Id", "Othr", "Id"), ("Id", "IBAN"))
INTO_PROXY = (
    "A wallet goes into Prxy/Id of the account, with WALLET in Prxy/Tp/Prtry; Id/Othr/Id then says "
    "NOTPROVIDED."
)
BESIDE_PROXY = (
    "This version requires an Id before Prxy: if the wallet in Prxy is the only identifier, "
    "put <Id><Othr><Id>NOTPROVIDED</Id></Othr></Id> there."
)
NO_PROXY = (
    "This version has no Prxy: send pain.001.001.09 or later, with the wallet in Prxy/Id, or this "
    "one with WALLET:address in the account's Nm where your profile says so."
)


def advise_wallet_place(account: Node, *, below: str, proxied: bool) -> str:
    """Return where the wallet of an account goes, "" where a fault has nothing to do with one.

    `below` is where in the account the fault is, "" for the account itself; `proxied` says whether
    this version's accounts have a Prxy.
    """
    place = tuple(below.split("/")) if below else ()
    if place in _NUMBERS and _is_wallet(account, place):
        return INTO_PROXY if proxied else NO_PROXY
    if place or account.first("Prxy") is None:
        return ""
    if not proxied:
        return NO_PROXY
    return BESIDE_PROXY if account.first("Id") is None else ""


def _is_wallet(account: Node, place: tuple[str, ...]) -> bool:
    """Tell whether a number of an account is a wallet, even a mistyped one."""
    text = account.value(*place)
    if account.value("Id", "Othr", "SchmeNm", "Prtry").upper() == WALLET:
        return True
    try:
        return parse_wallet(text).checked
    except BadWallet:
        # a wrong checksum in the form of some chain's addresses is a wallet all the same
        return re.fullmatch(WALLET_PATTERN, text) is not None
