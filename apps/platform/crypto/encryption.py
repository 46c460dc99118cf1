"""Encrypt data at rest with AES-256-GCM, bound to its key and to the place that it belongs to."""

import base64
import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

NONCE_BYTES = 12  # NIST SP 800-38D section 5.2.1.1: 96 bits, the length that GCM is made for


class DecryptionFailed(RuntimeError):
    """The data was encrypted under another key or a key that is not configured, or was altered."""


def derive_key(*, purpose: bytes, proof: str = "") -> bytes:
    """Derive a 32-byte key for one purpose from SECRET_KEY and a secret only the caller holds."""
    derive = HKDF(algorithm=SHA256(), length=32, salt=proof.encode(), info=purpose)
    return derive.derive(settings.SECRET_KEY.encode())


def encrypt_with_key(key: bytes, plain: bytes, *, bound: str) -> str:
    """Encrypt bytes under a key, as base64; `bound` says what they belong to."""
    # random and never reused under a key: a repeated
    # nonce would reveal texts and the key of the tag
    nonce = secrets.token_bytes(NONCE_BYTES)
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, plain, bound.encode())).decode()


def decrypt_with_key(key: bytes, sealed: str, *, bound: str) -> bytes:
    """Decrypt what was encrypted; DecryptionFailed for anything else."""
    try:
        raw = base64.b64decode(sealed, validate=True)
        # `bound` is authenticated with the text, so a value cannot be moved to another row
        return AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], bound.encode())
    except (InvalidTag, ValueError) as error:
        raise DecryptionFailed(
            "Decryption failed: the data was altered or belongs to another key."
        ) from error


def encrypt_text(text: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Encrypt a text under a key for one purpose; `bound` says what it belongs to.

    `proof` is a secret of the caller that is not stored: the database and SECRET_KEY together are
    not enough to decrypt the text.
    """
    key = derive_key(purpose=purpose, proof=proof)
    return encrypt_with_key(key, text.encode(), bound=bound)


def decrypt_text(sealed: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Decrypt a text; raises DecryptionFailed."""
    key = derive_key(purpose=purpose, proof=proof)
    return decrypt_with_key(key, sealed, bound=bound).decode()
