"""Encrypt personal data of records under a key per record, whose deletion erases them.

AES-256-GCM. A record's key is random and stored wrapped under one of TRAVEL_RULE_KEYS, in a table
of its own: the database alone reveals nothing, and erasing a record deletes its key.
"""

import secrets

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto.encryption import DecryptionFailed, decrypt_with_key, encrypt_with_key
from apps.platform.crypto.keyring import load_keyring

KEY_BYTES = 32  # AES-256
MIN_KEY_LENGTH = 32  # characters of a signing key


def _load_keys() -> dict[str, bytes]:
    return load_keyring(
        "TRAVEL_RULE_KEYS",
        settings.TRAVEL_RULE_KEYS,
        production=settings.PRODUCTION,
        purpose=b"travel rule:",
        secret=settings.SECRET_KEY,
    )


def check_encryption_settings() -> None:
    """Refuse keys that would fail later, and in production weak ones and a missing operator."""
    _load_keys()
    # a sandbox may have short ones, as in examples
    signing = settings.TRAVEL_RULE_SIGNING_KEY
    weak = any(len(part.strip()) < MIN_KEY_LENGTH for part in signing.split(","))
    if settings.PRODUCTION and signing and weak:
        raise ImproperlyConfigured(
            f"TRAVEL_RULE_SIGNING_KEY is weak: each key needs at least {MIN_KEY_LENGTH} "
            "characters, from `openssl rand -hex 32`."
        )
    if not settings.OPERATOR_NAME.strip():
        raise ImproperlyConfigured(
            "OPERATOR_NAME is missing: set it to the legal name of the operator of this platform; "
            "travel-rule messages carry it."
        )


def create_record_key(*, of: str) -> tuple[bytes, str, str]:
    """Return a new key, its wrapped form for storage, and the id of the wrapping key.

    `of` names the record.
    """
    key = secrets.token_bytes(KEY_BYTES)
    # the first key of the setting wraps, the others only unwrap. Bound to the record, so that a
    # wrapped key that is moved to another record opens nothing.
    under, outer = next(iter(_load_keys().items()))
    return key, encrypt_with_key(outer, key, bound=of), under


def wrap_secret(secret: bytes, *, of: str) -> tuple[str, str]:
    """Encrypt a secret for storage, and return the id of the key; `unwrap_key` decrypts it."""
    under, outer = next(iter(_load_keys().items()))
    return encrypt_with_key(outer, secret, bound=of), under


def unwrap_key(*, wrapped: str, under: str, of: str) -> bytes:
    """Return a record's key; DecryptionFailed if TRAVEL_RULE_KEYS lacks the key that wraps it."""
    outer = _load_keys().get(under)
    if outer is None:
        raise DecryptionFailed(f"TRAVEL_RULE_KEYS does not contain the key {under!r}.")
    return decrypt_with_key(outer, wrapped, bound=of)


def encrypt_part(key: bytes, text: bytes, *, what: str) -> str:
    """Return a text encrypted under a record's key; `what` says which part of the record it is."""
    return encrypt_with_key(key, text, bound=what)


def decrypt_part(key: bytes, sealed: str, *, what: str) -> bytes:
    """Decrypt a part; DecryptionFailed for anything else."""
    return decrypt_with_key(key, sealed, bound=what)
