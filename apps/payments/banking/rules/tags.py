"""How a bank payment says that it is to be settled, and to which wallet. Pure.

Document 2 section 4, banking-connector routing rules 2 and 4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.compliance.payees.wallets import BadWallet, Family, parse_wallet

_NOTE = re.compile(r"(?<![0-9A-Za-z_])svc:([^\s,;|()<>\[\]\"']*)", re.IGNORECASE)
_TAIL = ".!?:"
RECIPIENT, ROUTE, DESTINATION = "svc_recipient", "svc_route", "destination_currency"
NOTE_FIELDS = ("note", "externalMemo")
MAX_WALLET_LENGTH = 200  # of a wallet as it is told


@dataclass(frozen=True, slots=True)
class Tags:
    """What a payment asks for: wallets as they are written, whether by default, the currency."""

    wallets: tuple[str, ...]
    by_default: bool
    destination: str

    @property
    def any(self) -> bool:
        """Whether the payment is tagged at all."""
        return bool(self.wallets) or self.by_default


def parse_tags(state: Mapping[str, Any]) -> Tags:
    """Return the tags of a transaction as it stands; what is of another form is no tag."""
    metadata = state.get("metadata")
    held = metadata if isinstance(metadata, Mapping) else {}
    wallets = [wallet for name in NOTE_FIELDS for wallet in _find_wallets_in_note(state.get(name))]
    named = held.get(RECIPIENT)
    if isinstance(named, str) and named.strip():
        wallets.append(named.strip())
    return Tags(
        wallets=tuple(dict.fromkeys(one[:MAX_WALLET_LENGTH] for one in wallets)),
        by_default=_is_true(held.get(ROUTE)),
        destination=_parse_currency(held.get(DESTINATION)),
    )


def _find_wallets_in_note(note: Any) -> list[str]:
    if not isinstance(note, str):
        return []
    return [one.rstrip(_TAIL) for one in _NOTE.findall(note)]


def remove_tags(note: str) -> str:
    """Return what a note says besides its tags."""
    return " ".join(_NOTE.sub(" ", note).split())


def _is_true(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() == "true")


def _parse_currency(value: Any) -> str:
    if value is None or value == "":
        return "USD"
    return value.strip().upper()[:12] if isinstance(value, str) else "?"


def parse_evm_wallet(text: str) -> str:
    """Return a wallet of the chain on which stablecoins settle, by EIP-55; empty for another."""
    try:
        wallet = parse_wallet(text)
    except BadWallet:
        return ""
    return wallet.address if wallet.family is Family.EVM else ""
