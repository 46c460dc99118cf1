"""Tags in a bank payment that request settlement, and to which wallet. Pure.

Document 2 section 4, banking-connector routing rules 2 and 4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.compliance.payees.wallets import BadWallet, Family, parse_wallet

# `svc:` at the start of a word, up to a blank, a bracket, a quote or a separator: people write it
# into running text, in any case
_NOTE = re.compile(r"(?<![0-9A-Za-z_])svc:([^\s,;|()<>\[\]\"']*)", re.IGNORECASE)
# punctuation behind an address in running text
_TAIL = ".!?:"
RECIPIENT, ROUTE, DESTINATION = "svc_recipient", "svc_route", "destination_currency"
NOTE_FIELDS = ("note", "externalMemo")
MAX_WALLET_LENGTH = 200  # characters of a wallet as reported


@dataclass(frozen=True, slots=True)
class Tags:
    """The requests in a payment: wallets as written, whether by default, the currency."""

    wallets: tuple[str, ...]
    by_default: bool
    destination: str

    @property
    def any(self) -> bool:
        """Tell whether the payment is tagged at all."""
        return bool(self.wallets) or self.by_default


def parse_tags(state: Mapping[str, Any]) -> Tags:
    """Return the tags of a transaction's current state; a malformed value is no tag."""
    metadata = state.get("metadata")
    fields = metadata if isinstance(metadata, Mapping) else {}
    wallets = [wallet for name in NOTE_FIELDS for wallet in _find_wallets_in_note(state.get(name))]
    named = fields.get(RECIPIENT)
    # metadata values are texts at the provider; anything else is no tag
    if isinstance(named, str) and named.strip():
        wallets.append(named.strip())
    value = fields.get(ROUTE)
    return Tags(
        wallets=tuple(dict.fromkeys(wallet[:MAX_WALLET_LENGTH] for wallet in wallets)),
        by_default=value is True or (isinstance(value, str) and value.strip().lower() == "true"),
        destination=_parse_currency(fields.get(DESTINATION)),
    )


def _find_wallets_in_note(note: Any) -> list[str]:
    if not isinstance(note, str):
        return []
    return [wallet.rstrip(_TAIL) for wallet in _NOTE.findall(note)]


def remove_tags(note: str) -> str:
    """Return a note without its tags."""
    return " ".join(_NOTE.sub(" ", note).split())


def _parse_currency(value: Any) -> str:
    if value is None or value == "":
        return "USD"
    return value.strip().upper()[:12] if isinstance(value, str) else "?"


def parse_evm_wallet(text: str) -> str:
    """Return a wallet of the settlement chain in EIP-55 form; empty for any other text."""
    try:
        wallet = parse_wallet(text)
    except BadWallet:
        return ""
    return wallet.address if wallet.family is Family.EVM else ""
