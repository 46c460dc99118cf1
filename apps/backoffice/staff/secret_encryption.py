"""Encrypt secrets of staff sign-in at rest, with a key that is not in the database.

They are the secrets of second factors, and forms that wait for a proof.

`MFA_KEYS` is `id:64 hex,…`: the first encrypts, the others still decrypt. A key derived from
SECRET_KEY comes after them, and is the only one if none is set.
"""

import hmac
from functools import lru_cache

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto.encryption import DecryptionFailed, decrypt_with_key, encrypt_with_key

DERIVED = "secret-key"


class UnreadableSecret(Exception):
    """A secret was sealed under a key that is not here any more, or was tampered with."""


@lru_cache(maxsize=4)
def _parse_keys(configured: str, secret: str) -> dict[str, bytes]:
    keys: dict[str, bytes] = {}
    for part in filter(None, (item.strip() for item in configured.split(","))):
        name, _, text = part.partition(":")
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if not name or len(key) != 32 or name in keys or name == DERIVED:
            raise ImproperlyConfigured(
                "MFA_KEYS has a bad part: write `id:64 hex characters`, each id once, the key "
                "from `openssl rand -hex 32`."
            )
        keys[name] = key
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"second factors of staff")
    # last: secrets from before MFA_KEYS was set can still be decrypted
    return keys | {DERIVED: derive.derive(secret.encode())}


def load_keys() -> dict[str, bytes]:
    """Return the keys by id, the one that seals first; ImproperlyConfigured for a bad setting."""
    return _parse_keys(settings.MFA_KEYS, settings.SECRET_KEY)


def encrypt_secret(text: str) -> str:
    """Return a secret as `key id:base64`, sealed with AES-256-GCM."""
    name, key = next(iter(load_keys().items()))
    return f"{name}:{encrypt_with_key(key, text.encode(), bound=name)}"


def decrypt_secret(sealed: str) -> str:
    """Return what was sealed; raises UnreadableSecret."""
    name, _, body = sealed.partition(":")
    key = load_keys().get(name)
    if key is None:
        raise UnreadableSecret(f"The key {name!r} is not in MFA_KEYS.")
    try:
        return decrypt_with_key(key, body, bound=name).decode()
    except DecryptionFailed:
        raise UnreadableSecret("A second factor cannot be decrypted: it was altered.") from None


def compute_digest(text: str) -> str:
    """Return a keyed digest, `key id:hex`: it proves a secret and does not give it back."""
    name, key = next(iter(load_keys().items()))
    return f"{name}:{_compute_mac(key, text)}"


def compute_all_digests(text: str) -> list[str]:
    """Return the digest of a secret under each key, as it may be stored."""
    return [f"{name}:{_compute_mac(key, text)}" for name, key in load_keys().items()]


def _compute_mac(key: bytes, text: str) -> str:
    return hmac.digest(key, b"digest:" + text.encode(), "sha256").hex()
