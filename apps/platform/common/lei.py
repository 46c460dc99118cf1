"""Check digits of legal entity identifiers (ISO 17442-1, ISO 7064 MOD 97-10). Pure."""

import re

from stdnum.iso7064 import mod_97_10

_FORM = re.compile(r"[0-9A-Z]{18}[0-9]{2}")


def is_valid_lei(lei: str) -> bool:
    """Tell whether `lei` has 20 characters 0-9 A-Z and right check digits.

    Nothing is normalised here, as stdnum.lei would: lower case or a space makes it invalid.
    """
    return _FORM.fullmatch(lei) is not None and bool(mod_97_10.checksum(lei) == 1)
