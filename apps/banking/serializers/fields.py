"""Numbers of accounts and banks as fields."""

from typing import Any

from rest_framework import serializers

from apps.banking.rules import numbers
from apps.core.shapes import Text


class Checked(Text):
    """A text that one of the pure functions of rules/numbers.py takes, in its one form."""

    checks: Any = None
    wrong = ""

    def to_internal_value(self, data: Any) -> str:
        found = type(self).checks(super().to_internal_value(data))
        if not found:
            raise serializers.ValidationError(self.wrong)
        return str(found)


class RoutingNumber(Checked):
    """A US routing number."""

    checks = staticmethod(numbers.routing_number)
    wrong = "This is no US routing number: nine digits, the last of which checks the others."
    pattern = "^[0-9]{9}$"


class AccountNumber(Checked):
    """An account number."""

    checks = staticmethod(numbers.account_number)
    wrong = "An account number has 4 to 17 digits."
    pattern = "^[0-9]{4,17}$"


class Iban(Checked):
    """An IBAN."""

    checks = staticmethod(numbers.iban_of)
    wrong = "This is no IBAN: its check digits do not agree."
    format = "iban"


class Swift(Checked):
    """A SWIFT code."""

    checks = staticmethod(numbers.bic_of)
    wrong = "This is no SWIFT code (BIC): 8 or 11 characters."
    format = "bic"


class Email(Checked):
    """An e-mail address."""

    checks = staticmethod(numbers.email)
    wrong = "This is no e-mail address."
    format = "email"
