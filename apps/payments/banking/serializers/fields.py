"""Numbers of accounts and banks as fields."""

from typing import Any

from rest_framework import serializers

from apps.payments.banking.rules import account_numbers, send_fields
from apps.platform.api.shapes import Text


class ValidatedText(Text):
    """A text that a pure function of rules/account_numbers.py accepts, in canonical form."""

    checks: Any = None
    wrong = ""

    def to_internal_value(self, data: Any) -> str:
        checked = type(self).checks(super().to_internal_value(data))
        if not checked:
            raise serializers.ValidationError(self.wrong)
        return str(checked)


class RoutingNumber(ValidatedText):
    """A US routing number."""

    checks = staticmethod(account_numbers.parse_routing_number)
    wrong = "This is not a US routing number: nine digits, the last one a check digit."
    pattern = "^[0-9]{9}$"


class AccountNumber(ValidatedText):
    """An account number."""

    checks = staticmethod(account_numbers.parse_account_number)
    wrong = "An account number has 4 to 17 digits."
    pattern = "^[0-9]{4,17}$"


class Iban(ValidatedText):
    """An IBAN."""

    checks = staticmethod(account_numbers.parse_iban)
    wrong = "This is not an IBAN: its check digits are wrong."
    format = "iban"


class Swift(ValidatedText):
    """A SWIFT code."""

    checks = staticmethod(account_numbers.parse_bic)
    wrong = "This is not a SWIFT code (BIC): 8 or 11 characters."
    format = "bic"


class Email(ValidatedText):
    """An e-mail address."""

    checks = staticmethod(send_fields.parse_email)
    wrong = "This is not an e-mail address."
    format = "email"
