"""MACs of ledger records: proof that this platform wrote them, with a key outside the database.

An attacker who can write the database can insert a whole record, but without the key cannot make
its MAC.
"""

import hmac
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from django.conf import settings

from apps.platform.crypto.keyring import LONGEST_ID, load_keyring

__all__ = [
    "LONGEST_ID",
    "compute_mac",
    "find_mac_fault",
    "find_mac_fault_of_text",
    "keyed_digest",
    "ledger_keys",
    "make_mac",
    "make_mac_of_text",
]

# The canonical form (crypto/canonical.py) of containers with only texts and whole numbers, in half
# the time: every record that is written waits for it.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def ledger_keys() -> dict[str, bytes]:
    """Return the keys by id; the first one signs."""
    return load_keyring(
        "LEDGER_KEYS",
        settings.LEDGER_KEYS,
        production=settings.PRODUCTION,
        purpose=b"ledgers:",
        secret=settings.SECRET_KEY,
    )


def make_mac(said: dict[str, Any]) -> tuple[str, str]:
    """Return the id of the signing key and the MAC (64 hex) of a value."""
    return make_mac_of_text(_ENCODER.encode(said))


def make_mac_of_text(text: str) -> tuple[str, str]:
    """Return what `make_mac` does, for a text that is already in canonical form."""
    name, key = next(iter(ledger_keys().items()))
    return name, compute_mac(key, text)


def find_mac_fault(*, key_id: str | None, mac: str | None, said: dict[str, Any]) -> str:
    """Return what is wrong with the MAC of a value, or an empty text."""
    return find_mac_fault_of_text(key_id=key_id, mac=mac, text=_ENCODER.encode(said))


def find_mac_fault_of_text(*, key_id: str | None, mac: str | None, text: str) -> str:
    """Return what `find_mac_fault` does, for a text that is already in canonical form."""
    if not key_id or not mac:
        return "it carries no MAC"
    key = ledger_keys().get(key_id)
    if key is None:
        return f"its MAC names the key {key_id!r}, which LEDGER_KEYS does not hold"
    # in constant time: the time must not tell how much of a guess agrees
    if not hmac.compare_digest(compute_mac(key, text).encode(), mac.encode()):
        return "its MAC does not hold: it was not written by this platform, or was altered"
    return ""


def compute_mac(key: bytes, text: str) -> str:
    """Return the MAC (64 hex) of a text under a key."""
    begun = _begin_mac(key).copy()
    begun.update(text.encode())
    return begun.finalize().hex()


@lru_cache(maxsize=16)
def _begin_mac(key: bytes) -> HMAC:
    """Return a MAC that has absorbed its key, to be copied: that is half of a short text's cost."""
    return HMAC(key, SHA256())


def keyed_digest(*, what: str, of: Sequence[str]) -> str:
    """Return a keyed digest (64 hex) by which rows about the same subject are found together.

    Without LEDGER_KEYS it neither reveals its subject nor lets names be tried. `what` separates
    uses. It is made with the oldest key, so that adding a new key in front changes no digest.
    """
    *_, key = ledger_keys().values()
    return compute_mac(key, _ENCODER.encode({"keyed": what, "of": list(of)}))
