"""Encrypt stored payments: the signed payment itself, and its answer.

A signed payment is blanked when its outcome is known.
"""

from apps.platform.crypto import encryption

# each purpose has a key of its own, derived from SECRET_KEY; that of answers also depends on the
# payment's signature: a reader of the database cannot decrypt one, the sender of the payment can
PAYMENTS, ANSWERS = b"payments that may be settled again", b"answers to payments"


def encrypt_text(text: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Encrypt a text; `bound` names its row."""
    # hexadecimal in either case is the same signature
    return encryption.encrypt_text(text, purpose=purpose, bound=bound, proof=proof.lower())


def decrypt_text(sealed: str, *, purpose: bytes, bound: str, proof: str = "") -> str:
    """Return what was sealed; raises DecryptionFailed."""
    return encryption.decrypt_text(sealed, purpose=purpose, bound=bound, proof=proof.lower())
