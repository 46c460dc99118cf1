"""Keys from the environment by id, `id:64 hex,…`: the first encrypts, the others still decrypt."""

import hashlib
from functools import lru_cache

from django.core.exceptions import ImproperlyConfigured

LONGEST_ID = 20  # characters, the width of the column that names the key of a MAC


@lru_cache(maxsize=16)
def load_keyring(
    name: str, configured: str, *, production: bool, purpose: bytes, secret: str
) -> dict[str, bytes]:
    """Return the keys (32 bytes each) of a setting, by id and in order.

    A sandbox without the setting derives a key for the purpose from its SECRET_KEY. Raises
    ImproperlyConfigured for a malformed part, and in production for a missing setting.
    """
    if not configured:
        if production:
            raise ImproperlyConfigured(
                f"{name} is missing: set it to `id:key`, the key from `openssl rand -hex 32`."
            )
        return {"sandbox": hashlib.sha256(purpose + secret.encode()).digest()}
    keyring: dict[str, bytes] = {}
    for part in configured.split(","):
        identifier, _, text = part.strip().partition(":")
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if not 0 < len(identifier) <= LONGEST_ID or len(key) != 32 or identifier in keyring:
            raise ImproperlyConfigured(
                f"{name} has a bad part: write `id:64 hex characters`, each id once and of "
                f"at most {LONGEST_ID} characters."
            )
        keyring[identifier] = key
    return keyring
