"""MACs of ledger records: proof that this platform wrote them, under a key no database holds.

Whoever can write the database can insert a whole record; without the key its MAC cannot be made.
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

# The canonical form (crypto/canonical.py) of what holds texts and whole numbers only, in half the
# time: every record that is written waits for it.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def ledger_keys() -> dict[str, bytes]:
    """Return the keys by id, the one that signs first."""
    return load_keyring(
        "LEDGER_KEYS",
        settings.LEDGER_KEYS,
        production=settings.PRODUCTION,
        purpose=b"ledgers:",
        secret=settings.SECRET_KEY,
    )


def make_mac(said: dict[str, Any]) -> tuple[str, str]:
    """Return the id of the key that signs and the MAC (64 hex) of what is said."""
    return make_mac_of_text(_ENCODER.encode(said))


def make_mac_of_text(text: str) -> tuple[str, str]:
    """Return what `make_mac` does, of what is in its canonical form already."""
    name, key = next(iter(ledger_keys().items()))
    return name, compute_mac(key, text)


def find_mac_fault(*, key_id: str | None, mac: str | None, said: dict[str, Any]) -> str:
    """Return what is wrong with the MAC of what is said, or an empty text."""
    return find_mac_fault_of_text(key_id=key_id, mac=mac, text=_ENCODER.encode(said))


def find_mac_fault_of_text(*, key_id: str | None, mac: str | None, text: str) -> str:
    """Return what `find_mac_fault` does, of what is in its canonical form already."""
    if not key_id or not mac:
        return "it carries no MAC"
    key = ledger_keys().get(key_id)
    if key is None:
        return f"its MAC names the key {key_id!r}, which LEDGER_KEYS does not hold"
    if not hmac.compare_digest(compute_mac(key, text).encode(), mac.encode()):
        return "its MAC does not hold: it was not written by this platform, or was altered"
    return ""


def compute_mac(key: bytes, text: str) -> str:
    """Return the MAC (64 hex) of a text under a key."""
    made = _begin_mac(key).copy()
    made.update(text.encode())
    return made.finalize().hex()


@lru_cache(maxsize=16)
def _begin_mac(key: bytes) -> HMAC:
    """Return a MAC that has taken in its key, to be copied: that is half of a short text's cost."""
    return HMAC(key, SHA256())


def keyed_digest(*, what: str, of: Sequence[str]) -> str:
    """Return a keyed digest (64 hex) by which rows about the same are found together.

    Without LEDGER_KEYS nobody can tell what it is of, nor try names against it. `what` keeps uses
    apart. It is made with the oldest key, so that a new one in front moves none.
    """
    *_, key = ledger_keys().values()
    return compute_mac(key, _ENCODER.encode({"keyed": what, "of": list(of)}))
