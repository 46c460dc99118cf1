"""What the bank tells and is told, encrypted at rest: account numbers stand in it.

AES-256-GCM under BANK_KEYS, or under a key of its own purpose derived from SECRET_KEY. What is
sealed is bound to its row: moved to another it does not open.
"""

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto.keyring import load_keyring

NONCE_BYTES = 12
MIN_SECRET_LENGTH = 16  # characters of the webhook's secret


class DecryptionFailed(RuntimeError):
    """It was sealed under a key that is not held, or was altered."""


def _load_keys() -> dict[str, bytes]:
    return load_keyring(
        "BANK_KEYS",
        settings.BANK_KEYS,
        production=False,
        purpose=b"banking:",
        secret=settings.SECRET_KEY,
    )


def check_encryption_settings() -> None:
    """Refuse keys that could only fail later, and in production a weak secret of the webhook."""
    _load_keys()
    secret = settings.BANK_WEBHOOK_SECRET
    if settings.PRODUCTION and secret and len(secret) < MIN_SECRET_LENGTH:
        raise ImproperlyConfigured(
            f"BANK_WEBHOOK_SECRET is weak: it has {MIN_SECRET_LENGTH} characters or more, "
            f"as the bank gave "
            "it when the webhook was made."
        )


def encrypt_bytes(text: bytes, *, bound: str) -> str:
    """Return a text sealed as `key id:base64`; `bound` says to what it belongs."""
    under, key = next(iter(_load_keys().items()))
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = AESGCM(key).encrypt(nonce, text, bound.encode())
    return f"{under}:{base64.b64encode(nonce + sealed).decode()}"


def decrypt_bytes(sealed: str, *, bound: str) -> bytes:
    """Return what was sealed; DecryptionFailed for anything else."""
    under, _, body = sealed.partition(":")
    key = _load_keys().get(under)
    if key is None:
        raise DecryptionFailed(f"BANK_KEYS does not hold the key {under!r}.")
    try:
        raw = base64.b64decode(body, validate=True)
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound.encode())
    except (InvalidTag, ValueError) as error:
        raise DecryptionFailed(
            "It does not open: it was altered, or its key is another."
        ) from error
