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

from apps.core.keyring import LONGEST_ID, keyring

__all__ = ["LONGEST_ID", "fault", "fault_of", "keyed", "keys", "made", "made_of", "of"]

# The canonical form (canonical.py) of what holds texts and whole numbers only, in half the time:
# every record that is written waits for it.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def keys() -> dict[str, bytes]:
    """Return the keys by id, the one that signs first."""
    return keyring(
        "LEDGER_KEYS",
        settings.LEDGER_KEYS,
        production=settings.PRODUCTION,
        purpose=b"ledgers:",
        secret=settings.SECRET_KEY,
    )


def made(said: dict[str, Any]) -> tuple[str, str]:
    """Return the id of the key that signs and the MAC (64 hex) of what is said."""
    return made_of(_ENCODER.encode(said))


def made_of(text: str) -> tuple[str, str]:
    """Return what `made` does, of what is in its canonical form already."""
    name, key = next(iter(keys().items()))
    return name, of(key, text)


def fault(*, key_id: str | None, mac: str | None, said: dict[str, Any]) -> str:
    """Return what is wrong with the MAC of what is said, or an empty text."""
    return fault_of(key_id=key_id, mac=mac, text=_ENCODER.encode(said))


def fault_of(*, key_id: str | None, mac: str | None, text: str) -> str:
    """Return what `fault` does, of what is in its canonical form already."""
    if not key_id or not mac:
        return "it carries no MAC"
    key = keys().get(key_id)
    if key is None:
        return f"its MAC names the key {key_id!r}, which LEDGER_KEYS does not hold"
    if not hmac.compare_digest(of(key, text).encode(), mac.encode()):
        return "its MAC does not hold: it was not written by this platform, or was altered"
    return ""


def of(key: bytes, text: str) -> str:
    """Return the MAC (64 hex) of a text under a key."""
    made = _begun(key).copy()
    made.update(text.encode())
    return made.finalize().hex()


@lru_cache(maxsize=16)
def _begun(key: bytes) -> HMAC:
    """Return a MAC that has taken in its key, to be copied: that is half of a short text's cost."""
    return HMAC(key, SHA256())


def keyed(*, what: str, of: Sequence[str]) -> str:
    """Return a keyed digest (64 hex) by which rows about the same are found together.

    Without LEDGER_KEYS nobody can tell what it is of, nor try names against it. `what` keeps uses
    apart. It is made with the oldest key, so that a new one in front moves none.
    """
    *_, key = keys().values()
    return _mac(key, {"keyed": what, "of": list(of)})


def _mac(key: bytes, said: dict[str, Any]) -> str:
    return of(key, _ENCODER.encode(said))
