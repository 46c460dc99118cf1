"""Personal data of records, encrypted under a key for each; its key destroyed, it is gone.

AES-256-GCM. A record's key is random and kept wrapped under one of TRAVEL_RULE_KEYS, in a table of
its own: who holds the database alone reads nothing, and who erases a record deletes its key.
"""

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.platform.crypto.keyring import load_keyring

NONCE_BYTES = 12
KEY_BYTES = 32
MIN_KEY_LENGTH = 32  # characters of a signing key


class DecryptionFailed(RuntimeError):
    """It was sealed under a key that is not held, or was altered."""


def _load_keys() -> dict[str, bytes]:
    return load_keyring(
        "TRAVEL_RULE_KEYS",
        settings.TRAVEL_RULE_KEYS,
        production=settings.PRODUCTION,
        purpose=b"travel rule:",
        secret=settings.SECRET_KEY,
    )


def check_encryption_settings() -> None:
    """Refuse keys that could only fail later, and in production weak ones and no operator."""
    _load_keys()
    signing = settings.TRAVEL_RULE_SIGNING_KEY
    weak = any(len(one.strip()) < MIN_KEY_LENGTH for one in signing.split(","))
    if settings.PRODUCTION and signing and weak:
        raise ImproperlyConfigured(
            f"TRAVEL_RULE_SIGNING_KEY is weak: each key has {MIN_KEY_LENGTH} characters or more, "
            "from `openssl rand -hex 32`."
        )
    if not settings.OPERATOR_NAME.strip():
        raise ImproperlyConfigured(
            "OPERATOR_NAME is missing: set it to the legal name of whoever runs this platform; "
            "travel-rule messages bear it."
        )


def create_record_key(*, of: str) -> tuple[bytes, str, str]:
    """Return a new key, the same wrapped for keeping, and the id of what wraps it.

    `of` names the record: a wrapped key that is moved to another opens nothing.
    """
    key = secrets.token_bytes(KEY_BYTES)
    under, outer = next(iter(_load_keys().items()))
    return key, _encrypt_bytes(outer, key, of), under


def wrap_secret(secret: bytes, *, of: str) -> tuple[str, str]:
    """Return a secret sealed for keeping, and the id of what seals it; `unwrap_key` opens it."""
    under, outer = next(iter(_load_keys().items()))
    return _encrypt_bytes(outer, secret, of), under


def unwrap_key(*, wrapped: str, under: str, of: str) -> bytes:
    """Return a record's key; DecryptionFailed where TRAVEL_RULE_KEYS does not hold what wraps
    it.
    """
    outer = _load_keys().get(under)
    if outer is None:
        raise DecryptionFailed(f"TRAVEL_RULE_KEYS does not hold the key {under!r}.")
    return _decrypt_bytes(outer, wrapped, of)


def encrypt_part(key: bytes, text: bytes, *, what: str) -> str:
    """Return a text encrypted under a record's key; `what` says which part of the record it is."""
    return _encrypt_bytes(key, text, what)


def decrypt_part(key: bytes, sealed: str, *, what: str) -> bytes:
    """Return what was sealed; DecryptionFailed for anything else."""
    return _decrypt_bytes(key, sealed, what)


def _encrypt_bytes(key: bytes, text: bytes, bound: str) -> str:
    nonce = secrets.token_bytes(NONCE_BYTES)
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, text, bound.encode())).decode()


def _decrypt_bytes(key: bytes, sealed: str, bound: str) -> bytes:
    try:
        raw = base64.b64decode(sealed, validate=True)
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound.encode())
    except (InvalidTag, ValueError) as error:
        raise DecryptionFailed(
            "It does not open: it was altered, or its key is another."
        ) from error
