"""Encrypt stored payments: the signed payment itself, and its answer.

A signed payment is money until it is spent: it is encrypted under a key of ours (from SECRET_KEY)
and blanked when its outcome is known. An answer is encrypted under a key that also depends on the
payment's own signature: a reader of the database cannot decrypt it, but a caller who sends the
payment again can.
"""

from apps.platform.crypto import encryption

PAYMENTS, ANSWERS = b"payments that may be settled again", b"answers to payments"


def encrypt_text(text: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Encrypt a text; `bound` names its row.

    The case of a signature's letters does not matter: it is the same proof.
    """
    return encryption.encrypt_text(text, purpose=purpose, bound=bound, proof=proof.lower())


def decrypt_text(sealed: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Return what was sealed; raises DecryptionFailed."""
    return encryption.decrypt_text(sealed, purpose=purpose, bound=bound, proof=proof.lower())
