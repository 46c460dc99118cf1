"""Keys from the environment by id, `id:64 hex,…`: the first is used, the others still open."""

import hashlib
from functools import lru_cache

from django.core.exceptions import ImproperlyConfigured

LONGEST_ID = 20


@lru_cache(maxsize=16)
def load_keyring(
    name: str, configured: str, *, production: bool, purpose: bytes, secret: str
) -> dict[str, bytes]:
    """Return the keys (32 bytes each) of a setting, by id and in order.

    A sandbox without the setting derives one from its SECRET_KEY for the purpose. Raises
    ImproperlyConfigured for a bad part, and in production for none.
    """
    if not configured:
        if production:
            raise ImproperlyConfigured(
                f"{name} is missing: set it to `id:key`, the key from `openssl rand -hex 32`."
            )
        return {"sandbox": hashlib.sha256(purpose + secret.encode()).digest()}
    found: dict[str, bytes] = {}
    for part in configured.split(","):
        identifier, _, text = part.strip().partition(":")
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if not 0 < len(identifier) <= LONGEST_ID or len(key) != 32 or identifier in found:
            raise ImproperlyConfigured(
                f"{name} has a bad part: write `id:64 hex characters`, each id once and of "
                f"at most {LONGEST_ID} characters."
            )
        found[identifier] = key
    return found
