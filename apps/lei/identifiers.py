"""Legal entity identifiers: form and check digits (ISO 17442-1, ISO 7064 MOD 97-10)."""

import re

LENGTH = 20
_FORM = re.compile(r"[0-9A-Z]{18}[0-9]{2}")


def normalise(value: str) -> str:
    """Return the identifier as GLEIF prints it: upper case, without blanks around or inside."""
    return "".join(value.split()).upper()


def is_valid(lei: str) -> bool:
    """Tell whether `lei` has 20 characters 0-9 A-Z and right check digits.

    Nothing is normalised here: lower case or a blank makes it invalid.
    """
    return _FORM.fullmatch(lei) is not None and _remainder(lei) == 1


def check_digits(stem: str) -> str:
    """Return the two check digits of an 18-character stem; ValueError when it is not one."""
    if not re.fullmatch(r"[0-9A-Z]{18}", stem):
        raise ValueError("the stem of an LEI has 18 characters 0-9 A-Z")
    return f"{98 - _remainder(stem + '00'):02d}"


def _remainder(text: str) -> int:
    # int(…, 36) is the ISO 7064 value of a character: 0-9 stay, A-Z become 10-35
    return int("".join(str(int(character, 36)) for character in text)) % 97
