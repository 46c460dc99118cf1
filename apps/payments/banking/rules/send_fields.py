"""Required fields of an outgoing bank payment, and its purpose as the bank names it. Pure."""

import re
from collections.abc import Mapping
from typing import Any

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


# only what the bank's API takes for one; the bank sends to it, we never do
_EMAIL = re.compile(r"[^@\s,;<>]{1,64}@[^@\s,;<>]+\.[^@\s,;<>.]{2,}")


def parse_email(text: str) -> str:
    """Return an e-mail address; empty for another text."""
    return text if _EMAIL.fullmatch(text) and len(text) <= 254 else ""


def find_send_faults(asked: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong with a payment beyond the format of its fields, by field."""
    purpose = asked.get("purpose") or {}
    category = purpose.get("category", "")
    faults = {}
    if asked["payment_method"] == "domesticWire" and not category:
        faults["purpose"] = "A domestic wire must state its purpose: purpose.category."
    if category in EXPLAINED_CATEGORIES and not asked.get("additional_info", "").strip():
        faults["additionalInfo"] = f"The category {category} must be explained in additionalInfo."
    return faults


def build_provider_purpose(category: str, additional_info: str) -> dict[str, Any]:
    """Return a purpose as the bank's API takes it."""
    # the provider writes categories in camelCase (purpose.simple.category)
    simple = {"category": category[:1].lower() + category[1:]}
    # the provider refuses an explanation with any other category
    if additional_info and category in EXPLAINABLE_CATEGORIES:
        simple["additionalInfo"] = additional_info
    return {"simple": simple}
