"""Check digits of legal entity identifiers (ISO 17442-1, ISO 7064 MOD 97-10). Pure."""

import re

_FORM = re.compile(r"[0-9A-Z]{18}[0-9]{2}")


def is_valid(lei: str) -> bool:
    """Tell whether `lei` has 20 characters 0-9 A-Z and right check digits.

    Nothing is normalised here: lower case or a blank makes it invalid.
    """
    return _FORM.fullmatch(lei) is not None and remainder(lei) == 1


def remainder(text: str) -> int:
    """Return the MOD 97 remainder of a text of 0-9 A-Z."""
    # int(…, 36) is the ISO 7064 value of a character: 0-9 stay, A-Z become 10-35
    return int("".join(str(int(character, 36)) for character in text)) % 97
