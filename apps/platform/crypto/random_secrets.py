"""Random secrets of letters and digits: shown once, and stored only as a digest."""

import hashlib
import secrets
import string

ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 43  # 62^43 is just over 2^256


def generate_random_text(length: int) -> str:
    """Return a number of random letters and digits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a whole secret; secrets are random, so no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
