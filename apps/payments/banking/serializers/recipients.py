"""Shapes of recipients."""

from typing import Any

from rest_framework import serializers

from apps.payments.banking.rules import account_numbers
from apps.payments.banking.serializers.fields import (
    AccountNumber,
    Email,
    Iban,
    RoutingNumber,
    Swift,
)
from apps.platform.api.shapes import (
    Country,
    EpochSeconds,
    Identifier,
    ListOf,
    OneOf,
    PartyName,
    Shape,
    Text,
)


class AddressIn(Shape):
    """A postal address."""

    address1 = Text(max_length=100)
    city = Text(max_length=60)
    region = Text(max_length=60, required=False, allow_blank=True)
    postal_code = Text(max_length=20)
    country = Country()


class ElectronicIn(Shape):
    """An account that can be paid by ACH."""

    routing_number = RoutingNumber(max_length=9)
    account_number = AccountNumber(max_length=17)
    electronic_account_type = OneOf(choices=account_numbers.ACCOUNT_TYPES)
    address = AddressIn()


class BankDetailsIn(Shape):
    """The bank of an international wire."""

    bank_name = Text(max_length=100)
    bank_city_state = Text(max_length=100, required=False, allow_blank=True)
    bank_country = Country()


class WireIn(Shape):
    """An account that can be paid by international wire."""

    # 34 characters, and blanks between groups of four
    iban = Iban(max_length=42)
    swift_code = Swift(max_length=11)
    bank_details = BankDetailsIn()


class RecipientIn(Shape):
    """A recipient: for ACH with `electronicRoutingInfo`, for international wires with the other."""

    recipient_id = Identifier(
        required=False, help_text="Your own id: a repeated id returns the same recipient."
    )
    name = PartyName()
    emails = ListOf(child=Email(max_length=254), max_length=10)
    default_payment_method = OneOf(
        choices=(*account_numbers.METHODS, account_numbers.WIRE), required=False
    )
    electronic_routing_info = ElectronicIn(required=False)
    international_wire_routing_info = WireIn(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a recipient with both ways of routing or none, or by a method it cannot have."""
        wire = "international_wire_routing_info" in attrs
        # both or neither
        if wire is ("electronic_routing_info" in attrs):
            sentence = "Give either electronicRoutingInfo or internationalWireRoutingInfo."
            raise serializers.ValidationError({"electronicRoutingInfo": [sentence]})
        method = attrs.get("default_payment_method")
        if method and (method == account_numbers.WIRE) is not wire:
            sentence = "The routing information does not fit this method."
            raise serializers.ValidationError({"defaultPaymentMethod": [sentence]})
        return attrs


class RecipientOut(Shape):
    """A recipient as stored; only the last four characters of its account are returned."""

    id = Text()
    recipient_id = Text()
    name = Text()
    kind = OneOf(choices=("ACH", "WIRE"))
    account_ending = Text()
    status = OneOf(choices=("PENDING", "SAVED", "REFUSED"), help_text="At the bank.")
    saved_at = EpochSeconds()
