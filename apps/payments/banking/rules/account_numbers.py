"""Numbers of accounts and banks, and the required fields of a bank payment. Pure."""

import re
from collections.abc import Mapping
from typing import Any

from stdnum import bic, iban
from stdnum.exceptions import ValidationError
from stdnum.us import rtn

METHODS = ("ach", "domesticWire", "check")
WIRE = "internationalWire"
WIRE_HINT = (
    "An international wire is proposed and approved by two people on the desk: it is not sent here."
)
# document 2 section 2.5
CATEGORIES = (
    "Employee",
    "Landlord",
    "Vendor",
    "Contractor",
    "Subsidiary",
    "TransferToMyExternalAccount",
    "FamilyMemberOrFriend",
    "ForGoodsOrServices",
    "AngelInvestment",
    "SavingsOrInvestments",
    "Expenses",
    "Travel",
    "Other",
)
EXPLAINED_CATEGORIES = ("Vendor", "Contractor", "Other")
# categories for which the bank wants an explanation as well
EXPLAINABLE_CATEGORIES = (*EXPLAINED_CATEGORIES, "Subsidiary")
ACCOUNT_TYPES = ("businessChecking", "businessSavings", "personalChecking", "personalSavings")
_ACCOUNT = re.compile(r"[0-9]{4,17}")
_EMAIL = re.compile(r"[^@\s,;<>]{1,64}@[^@\s,;<>]+\.[^@\s,;<>.]{2,}")


def parse_routing_number(text: str) -> str:
    """Return a US routing number with a valid check digit; empty for any other text."""
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


def parse_email(text: str) -> str:
    """Return an e-mail address; empty for another text."""
    return text if _EMAIL.fullmatch(text) and len(text) <= 254 else ""


def find_send_faults(asked: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong with a payment beyond the format of its fields, by field."""
    purpose = asked.get("purpose") or {}
    category = purpose.get("category", "")
    faults = {}
    if asked["payment_method"] == "domesticWire" and not category:
        faults["purpose"] = "A domestic wire says its purpose: purpose.category."
    if category in EXPLAINED_CATEGORIES and not asked.get("additional_info", "").strip():
        faults["additionalInfo"] = f"The category {category} is explained in additionalInfo."
    return faults


def build_provider_purpose(category: str, additional_info: str) -> dict[str, Any]:
    """Return a purpose as the bank's API takes it."""
    simple = {"category": category[:1].lower() + category[1:]}
    if additional_info and category in EXPLAINABLE_CATEGORIES:
        simple["additionalInfo"] = additional_info
    return {"simple": simple}
