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

from apps.core.keyring import keyring

NONCE_BYTES = 12
KEY_BYTES = 32
SHORTEST = 32  # characters of a signing key


class Unreadable(RuntimeError):
    """It was sealed under a key that is not held, or was altered."""


def _keys() -> dict[str, bytes]:
    return keyring(
        "TRAVEL_RULE_KEYS",
        settings.TRAVEL_RULE_KEYS,
        production=settings.PRODUCTION,
        purpose=b"travel rule:",
        secret=settings.SECRET_KEY,
    )


def check_settings() -> None:
    """Refuse keys that could only fail later, and in production weak ones and no operator."""
    _keys()
    signing = settings.TRAVEL_RULE_SIGNING_KEY.split(",")
    if settings.PRODUCTION and any(len(one.strip()) < SHORTEST for one in signing):
        raise ImproperlyConfigured(
            f"TRAVEL_RULE_SIGNING_KEY is weak: each key has {SHORTEST} characters or more, "
            "from `openssl rand -hex 32`."
        )
    if not settings.OPERATOR_NAME.strip():
        raise ImproperlyConfigured(
            "OPERATOR_NAME is missing: set it to the legal name of whoever runs this platform; "
            "travel-rule messages bear it."
        )


def new_key(*, of: str) -> tuple[bytes, str, str]:
    """Return a new key, the same wrapped for keeping, and the id of what wraps it.

    `of` names the record: a wrapped key that is moved to another opens nothing.
    """
    key = secrets.token_bytes(KEY_BYTES)
    under, outer = next(iter(_keys().items()))
    return key, _sealed(outer, key, of), under


def kept(secret: bytes, *, of: str) -> tuple[str, str]:
    """Return a secret sealed for keeping, and the id of what seals it; `unwrapped` opens it."""
    under, outer = next(iter(_keys().items()))
    return _sealed(outer, secret, of), under


def unwrapped(*, wrapped: str, under: str, of: str) -> bytes:
    """Return a record's key; Unreadable where TRAVEL_RULE_KEYS does not hold what wraps it."""
    outer = _keys().get(under)
    if outer is None:
        raise Unreadable(f"TRAVEL_RULE_KEYS does not hold the key {under!r}.")
    return _opened(outer, wrapped, of)


def seal(key: bytes, text: bytes, *, what: str) -> str:
    """Return a text encrypted under a record's key; `what` says which part of the record it is."""
    return _sealed(key, text, what)


def unseal(key: bytes, sealed: str, *, what: str) -> bytes:
    """Return what was sealed; Unreadable for anything else."""
    return _opened(key, sealed, what)


def _sealed(key: bytes, text: bytes, bound: str) -> str:
    nonce = secrets.token_bytes(NONCE_BYTES)
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, text, bound.encode())).decode()


def _opened(key: bytes, sealed: str, bound: str) -> bytes:
    try:
        raw = base64.b64decode(sealed, validate=True)
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound.encode())
    except (InvalidTag, ValueError) as error:
        raise Unreadable("It does not open: it was altered, or its key is another.") from error
