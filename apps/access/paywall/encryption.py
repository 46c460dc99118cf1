"""What is kept of payments at rest, sealed: the signed payment itself, and what was answered.

A signed payment is money until it is spent: it is sealed under a key of ours (from SECRET_KEY) and
blanked when its outcome is known. An answer is sealed under a key that also takes the payment's
own signature: who reads the database cannot open it, who resends the payment can.
"""

import base64
import binascii
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

NONCE_BYTES = 12
PAYMENTS, ANSWERS = b"payments that may be settled again", b"answers to payments"


class UnreadableText(Exception):
    """It was sealed under another key, or was altered."""


def encrypt_text(text: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Return a text sealed with AES-256-GCM; `bound` names the row that it belongs to."""
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = AESGCM(_derive_key(purpose, proof)).encrypt(nonce, text.encode(), bound.encode())
    return base64.b64encode(nonce + sealed).decode()


def decrypt_text(sealed: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Return what was sealed; raises UnreadableText."""
    try:
        raw = base64.b64decode(sealed, validate=True)
        opened = AESGCM(_derive_key(purpose, proof)).decrypt(
            raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound.encode()
        )
    except (InvalidTag, binascii.Error, ValueError):
        raise UnreadableText(
            "It does not open: another key sealed it, or it was altered."
        ) from None
    return opened.decode()


def _derive_key(purpose: bytes, proof: str) -> bytes:
    derive = HKDF(algorithm=SHA256(), length=32, salt=proof.lower().encode(), info=purpose)
    return derive.derive(settings.SECRET_KEY.encode())
