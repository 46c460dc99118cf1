"""Texts that are kept sealed: an answer that holds a secret is opened by who asked for it alone."""

import base64
import binascii
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

NONCE_BYTES = 12


class DecryptionFailed(Exception):
    """It was sealed under another key, or was altered."""


def derive_key(*, purpose: bytes, proof: str = "") -> bytes:
    """Return a key of 32 bytes for one purpose, from SECRET_KEY and what only the caller holds."""
    derive = HKDF(algorithm=SHA256(), length=32, salt=proof.encode(), info=purpose)
    return derive.derive(settings.SECRET_KEY.encode())


def encrypt_text(text: str, *, purpose: bytes, bound: str, proof: str) -> str:
    """Return a text sealed with AES-256-GCM; `bound` says what it belongs to.

    `proof` is what the caller holds and nobody keeps: who has the database and SECRET_KEY alone
    cannot open it.
    """
    nonce = secrets.token_bytes(NONCE_BYTES)
    key = derive_key(purpose=purpose, proof=proof)
    return base64.b64encode(
        nonce + AESGCM(key).encrypt(nonce, text.encode(), bound.encode())
    ).decode()


def decrypt_text(sealed: str, *, purpose: bytes, bound: str, proof: str) -> str:
    """Return what was sealed; raises DecryptionFailed."""
    key = derive_key(purpose=purpose, proof=proof)
    try:
        raw = base64.b64decode(sealed, validate=True)
        opened = AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound.encode())
    except (InvalidTag, binascii.Error, ValueError):
        raise DecryptionFailed(
            "It does not open: another key sealed it, or it was altered."
        ) from None
    return opened.decode()
