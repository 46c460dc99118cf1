"""Encrypt the messages exchanged with the bank at rest: they contain account numbers.

AES-256-GCM under BANK_KEYS, or under a key derived for this purpose from SECRET_KEY. The ciphertext
is bound to its row: it cannot be decrypted in another row.
"""

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto.encryption import DecryptionFailed, decrypt_with_key, encrypt_with_key
from apps.platform.crypto.keyring import load_keyring

MIN_SECRET_LENGTH = 16  # characters of a secret of the webhook


def _load_keys() -> dict[str, bytes]:
    return load_keyring(
        "BANK_KEYS",
        settings.BANK_KEYS,
        production=False,
        purpose=b"banking:",
        secret=settings.SECRET_KEY,
    )


def check_encryption_settings() -> None:
    """Refuse keys that would fail later, and in production a weak secret of the webhook."""
    # reads BANK_KEYS, which raises for an invalid key
    _load_keys()
    # `new,old` during a change: either one signs, so the weaker counts
    secrets = [part.strip() for part in settings.BANK_WEBHOOK_SECRET.split(",") if part.strip()]
    if settings.PRODUCTION and any(len(secret) < MIN_SECRET_LENGTH for secret in secrets):
        raise ImproperlyConfigured(
            f"BANK_WEBHOOK_SECRET is weak: a secret has {MIN_SECRET_LENGTH} characters or more, "
            "as the bank gave it when the webhook was created."
        )


def encrypt_bytes(text: bytes, *, bound: str) -> str:
    """Encrypt a text as `key id:base64`; `bound` says what it belongs to."""
    # the first key encrypts; the others only decrypt what was written before a rotation
    under, key = next(iter(_load_keys().items()))
    return f"{under}:{encrypt_with_key(key, text, bound=bound)}"


def decrypt_bytes(sealed: str, *, bound: str) -> bytes:
    """Decrypt a text; DecryptionFailed for anything else."""
    under, _, body = sealed.partition(":")
    key = _load_keys().get(under)
    if key is None:
        raise DecryptionFailed(f"BANK_KEYS does not hold the key {under!r}.")
    return decrypt_with_key(key, body, bound=bound)
