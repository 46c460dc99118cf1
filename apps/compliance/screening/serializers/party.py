"""Optional facts about a party beside its name: strictly validated, and used as evidence."""

import re
from typing import Any

from rest_framework import serializers

from apps.compliance.payees.wallets import WALLET_PATTERN
from apps.platform.api.shapes import Country, OneOf, Shape, Text
from apps.platform.common.clock import now
from apps.reference.watchlists.sources.dates import build_iso_date
from apps.reference.watchlists.sources.identifier_kinds import is_lei_value, parse_imo_number

# what the API calls an identifier -> what the lists call it
IDENTIFIERS = {
    "passport": "passport",
    "nationalId": "national_id",
    "taxId": "tax_id",
    "registration": "registration",
    "lei": "lei",
    "bic": "bic",
    "imo": "imo",
    "tailNumber": "tail_number",
    "wallet": "wallet",
    "other": "other",
}
MOST_IDENTIFIERS = 20
MOST_ALIASES = 10
LEAST_LENGTH = 3  # letters or digits; shorter values identify no party
OLDEST = 1850
_DATE = r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?"
_BIC = re.compile(r"[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?")


class BirthDate(Text):
    """A date of birth or foundation: ISO 8601, only a year or month if no more is known."""

    format, pattern = "iso-8601-partial", f"^{_DATE}$"

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        # the pattern accepts days that no calendar has, such as 2026-02-30
        if not re.fullmatch(_DATE, value) or build_iso_date(*value.split("-")) != value:
            raise serializers.ValidationError("This must be YYYY-MM-DD, YYYY-MM or YYYY.")
        # ISO dates compare as texts, each at the precision that was given
        if not str(OLDEST) <= value <= now().date().isoformat()[: len(value)]:
            raise serializers.ValidationError(f"This must lie between {OLDEST} and today.")
        return value


class Wallet(Text):
    """A blockchain wallet address, as written on its chain."""

    format, pattern = "wallet", f"^{WALLET_PATTERN}$"

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if not re.fullmatch(WALLET_PATTERN, value):
            raise serializers.ValidationError("This is not a wallet address.")
        return value


class IdentifierIn(Shape):
    """A number that identifies the party, with the country that issued it."""

    type = OneOf(choices=tuple(IDENTIFIERS))
    value = Text(max_length=128)
    country = Country(required=False, help_text="ISO 3166-1 alpha-2 code of the issuer's country.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what cannot be a number of its type, and call the type as the lists do."""
        fault = _identifier_fault(attrs["type"], attrs["value"])
        if fault:
            raise serializers.ValidationError({"value": [fault]})
        return {**attrs, "type": IDENTIFIERS[attrs["type"]]}


def _identifier_fault(kind: str, value: str) -> str:
    """Return why a value is no identifier of its kind, an empty text when it may be one."""
    if sum(letter.isalnum() for letter in value) < LEAST_LENGTH:
        return f"An identifier has at least {LEAST_LENGTH} letters or digits."
    if kind == "lei" and not is_lei_value(value):
        return "This is not an LEI: 20 characters with valid check digits."
    if kind == "imo" and not parse_imo_number(value):
        return "This is not an IMO number: seven digits, the last one a check digit."
    if kind == "bic" and not _BIC.fullmatch(value.strip().upper()):
        return "This is not a BIC: 8 or 11 characters."
    if kind == "wallet" and not re.fullmatch(WALLET_PATTERN, value):
        return "This is not a wallet address."
    return ""
