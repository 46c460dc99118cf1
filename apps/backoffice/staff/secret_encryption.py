"""Secrets of second factors at rest: sealed under a key that the database does not hold.

`MFA_KEYS` is `id:64 hex,…`: the first seals, the others still open what they sealed. A key derived
from SECRET_KEY stands behind them, and alone where none is set.
"""

import base64
import hmac
import secrets
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

DERIVED = "secret-key"
NONCE_BYTES = 12


class UnreadableSecret(Exception):
    """A secret was sealed under a key that is not here any more, or was tampered with."""


@lru_cache(maxsize=4)
def _parse_keys(configured: str, secret: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for part in filter(None, (one.strip() for one in configured.split(","))):
        name, _, text = part.partition(":")
        try:
            key = bytes.fromhex(text)
        except ValueError:
            key = b""
        if not name or len(key) != 32 or name in found or name == DERIVED:
            raise ImproperlyConfigured(
                "MFA_KEYS has a bad part: write `id:64 hex characters`, each id once, the key "
                "from `openssl rand -hex 32`."
            )
        found[name] = key
    derive = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"second factors of staff")
    return found | {DERIVED: derive.derive(secret.encode())}


def load_keys() -> dict[str, bytes]:
    """Return the keys by id, the one that seals first; ImproperlyConfigured for a bad setting."""
    return _parse_keys(settings.MFA_KEYS, settings.SECRET_KEY)


def encrypt_secret(text: str) -> str:
    """Return a secret as `key id:base64`, sealed with AES-256-GCM."""
    name, key = next(iter(load_keys().items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, text.encode(), name.encode())
    return f"{name}:{base64.b64encode(nonce + sealed).decode()}"


def decrypt_secret(sealed: str) -> str:
    """Return what was sealed; raises UnreadableSecret."""
    name, _, body = sealed.partition(":")
    key = load_keys().get(name)
    if key is None:
        raise UnreadableSecret(f"The key {name!r} is not in MFA_KEYS.")
    raw = base64.b64decode(body)
    try:
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], name.encode()).decode()
    except InvalidTag:
        raise UnreadableSecret("A second factor does not open: it was altered.") from None


def compute_digest(text: str) -> str:
    """Return a keyed digest, `key id:hex`: it proves a secret and does not give it back."""
    name, key = next(iter(load_keys().items()))
    return f"{name}:{_compute_mac(key, text)}"


def compute_all_digests(text: str) -> list[str]:
    """Return the digest of a secret under each key, as it may be stored."""
    return [f"{name}:{_compute_mac(key, text)}" for name, key in load_keys().items()]


def _compute_mac(key: bytes, text: str) -> str:
    return hmac.digest(key, b"digest:" + text.encode(), "sha256").hex()
