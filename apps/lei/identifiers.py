"""Legal entity identifiers: form and check digits (ISO 17442-1, ISO 7064 MOD 97-10)."""

import re

from apps.core.lei import is_valid, remainder

__all__ = ["LENGTH", "check_digits", "is_valid", "normalise"]

LENGTH = 20


def normalise(value: str) -> str:
    """Return the identifier as GLEIF prints it: upper case, without blanks around or inside."""
    return "".join(value.split()).upper()


def check_digits(stem: str) -> str:
    """Return the two check digits of an 18-character stem; ValueError when it is not one."""
    if not re.fullmatch(r"[0-9A-Z]{18}", stem):
        raise ValueError("the stem of an LEI has 18 characters 0-9 A-Z")
    return f"{98 - remainder(stem + '00'):02d}"
