"""MACs of ledger records: proof that this platform wrote them, under a key no database holds.

Whoever can write the database can insert a whole record; without the key its MAC cannot be made.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

LONGEST_ID = 20
# The canonical form (canonical.py) of what holds texts and whole numbers only, in half the time:
# every record that is written waits for it.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=4)
def _keys(configured: str, production: bool, secret: str) -> dict[str, bytes]:
    """Parse `id:key,…`; the first signs, the others still verify what they signed."""
    if not configured:
        if production:
            raise ImproperlyConfigured(
                "LEDGER_KEYS is missing: set it to `id:key`, the key from `openssl rand -hex 32`."
            )
        return {"sandbox": hashlib.sha256(b"ledgers:" + secret.encode()).digest()}
    found: dict[str, bytes] = {}
    for part in configured.split(","):
        name, _, text = part.strip().partition(":")
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if not 0 < len(name) <= LONGEST_ID or len(key) != 32 or name in found:
            raise ImproperlyConfigured(
                "LEDGER_KEYS has a bad part: write `id:64 hex characters`, each id once and of "
                f"at most {LONGEST_ID} characters."
            )
        found[name] = key
    return found


def keys() -> dict[str, bytes]:
    """Return the keys by id, the one that signs first."""
    return _keys(settings.LEDGER_KEYS, settings.PRODUCTION, settings.SECRET_KEY)


def made(said: dict[str, Any]) -> tuple[str, str]:
    """Return the id of the key that signs and the MAC (64 hex) of what is said."""
    name, key = next(iter(keys().items()))
    return name, _mac(key, said)


def fault(*, key_id: str | None, mac: str | None, said: dict[str, Any]) -> str:
    """Return what is wrong with the MAC of what is said, or an empty text."""
    if not key_id or not mac:
        return "it carries no MAC"
    key = keys().get(key_id)
    if key is None:
        return f"its MAC names the key {key_id!r}, which LEDGER_KEYS does not hold"
    if not hmac.compare_digest(_mac(key, said).encode(), mac.encode()):
        return "its MAC does not hold: it was not written by this platform, or was altered"
    return ""


def keyed(*, what: str, of: Sequence[str]) -> str:
    """Return a keyed digest (64 hex) by which rows about the same are found together.

    Without LEDGER_KEYS nobody can tell what it is of, nor try names against it. `what` keeps uses
    apart. It is made with the oldest key, so that a new one in front moves none.
    """
    *_, key = keys().values()
    return _mac(key, {"keyed": what, "of": list(of)})


def _mac(key: bytes, said: dict[str, Any]) -> str:
    return hmac.digest(key, _ENCODER.encode(said).encode(), "sha256").hex()
