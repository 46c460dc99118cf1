"""Numbers of accounts and banks, and the required fields of a bank payment. Pure."""

import re

from stdnum import bic, iban
from stdnum.exceptions import ValidationError
from stdnum.us import rtn

# document 2 section 2.5; an international wire is no method of /bank/send (section 4, rule 6)
METHODS = ("ach", "domesticWire", "check")
WIRE = "internationalWire"
WIRE_HINT = (
    "An international wire is proposed and approved by two people on the desk: it is not sent here."
)
ACCOUNT_TYPES = ("businessChecking", "businessSavings", "personalChecking", "personalSavings")
# an account number of the ACH network has at most 17 digits; shorter than 4 shows it in full
_ACCOUNT = re.compile(r"[0-9]{4,17}")


def parse_routing_number(text: str) -> str:
    """Return a US routing number with a valid check digit; empty for any other text."""
    # stdnum is lenient about blanks around a number; the bank's API takes nine plain digits
    return text if re.fullmatch("[0-9]{9}", text) and rtn.is_valid(text) else ""


def parse_account_number(text: str) -> str:
    """Return an account number of 4 to 17 digits; empty for another text."""
    return text if _ACCOUNT.fullmatch(text) else ""


def parse_iban(text: str) -> str:
    """Return an IBAN in canonical form with valid check digits; empty for any other text."""
    try:
        return str(iban.validate(text))
    except ValidationError:
        return ""


def parse_bic(text: str) -> str:
    """Return a SWIFT code (BIC) in canonical form; empty for any other text."""
    try:
        return str(bic.validate(text))
    except ValidationError:
        return ""
