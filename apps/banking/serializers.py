"""Shapes of the banking connector (document 2 section 2.5)."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.banking.models.transactions import LONGEST_ID
from apps.banking.rules import numbers
from apps.core.parsing import loads
from apps.core.shapes import (
    Country,
    EpochSeconds,
    Flag,
    Free,
    Identifier,
    ListOf,
    Number,
    OneOf,
    PartyName,
    Shape,
    Text,
    Whole,
)

ACTIONS = ("ignored", "waiting", "held", "routed")


MOST = Decimal(10**12 - 1)  # dollars: what a JSON number carries to the cent


class Body(dict[str, Any]):
    """A body as it was read, with the bytes as they came."""

    raw: bytes = b""


def body(raw: bytes) -> Any:
    """Read a delivery; what is no object is left to the shape."""
    read = loads(raw)
    if not isinstance(read, dict):
        return read
    found = Body(read)
    found.raw = raw
    return found


class Patch(Free):
    """A JSON merge patch of an object (RFC 7396), its numbers exact."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be a JSON object.")
        return data


class BankEventIn(Shape):
    """A delivery of the bank's webhook; fields that are not known here are passed over."""

    FREE = True

    id = Text(max_length=LONGEST_ID, help_text="Of the delivery: the same again is answered so.")
    resource_type = Text(max_length=40, help_text="`transaction`, `checkingAccount`, …")
    resource_id = Text(max_length=LONGEST_ID)
    operation_type = Text(max_length=12, help_text="`create` or `update`.")
    resource_version = Whole(min_value=0)
    occurred_at = Text(max_length=40, required=False, allow_blank=True)
    changed_paths = ListOf(child=Text(allow_blank=True), required=False, max_length=1000)
    merge_patch = Patch(help_text="New values; `amount` is in dollars, never in cents.")
    previous_values = Patch(required=False)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the event with its bytes; ValidationError names the fields."""
        if not isinstance(data, dict):
            raise serializers.ValidationError({"body": ["This must be a JSON object."]})
        known = {name: value for name, value in data.items() if name in self.fields}
        return {"event": super().run_validation(known), "raw": getattr(data, "raw", b"")}


class BankFeesOut(Shape):
    """What a settlement costs, in USD; `fx` only where currencies are crossed."""

    core = Text()
    fx = Text()
    esg = Text()
    license = Text()
    total = Text()


class BankExecutionOut(Shape):
    """The transfer that settles it: whoever has the funds sends it, and we watch for it."""

    chain_id = Whole()
    network = Text()
    asset = Text()
    asset_address = Text()
    recipient = Text()
    amount = Text(help_text="In the asset.")
    amount_minor = Text(help_text="The same in its smallest units.")
    reference = Text(help_text="32 bytes that name the order: the nonce of an EIP-3009 transfer.")
    deadline = Whole(help_text="Unix seconds.")


class WebhookOut(Shape):
    """What became of a delivery.

    `routed` has quote and execution parameters. `waiting` is tried again by itself; `held` waits
    for an officer: it is not to be paid meanwhile.
    """

    action = OneOf(choices=ACTIONS)
    rule = Text(help_text="The row of the table that decided (docs/rules.md).")
    reason = Text()
    delivery_id = Text()
    resource_id = Text()
    quote_id = Text(required=False)
    amount = Text(required=False, help_text="What is settled, in USD, before fees.")
    asset = Text(required=False)
    recipient = Text(required=False)
    destination_currency = Text(required=False)
    fees = BankFeesOut(required=False)
    execution = BankExecutionOut(required=False)


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


class AddressIn(Shape):
    """A postal address."""

    address1 = Text(max_length=100)
    city = Text(max_length=60)
    region = Text(max_length=60, required=False, allow_blank=True)
    postal_code = Text(max_length=20)
    country = Country()


class ElectronicIn(Shape):
    """An account that ACH reaches."""

    routing_number = RoutingNumber(max_length=9)
    account_number = AccountNumber(max_length=17)
    electronic_account_type = OneOf(choices=numbers.ACCOUNT_TYPES)
    address = AddressIn()


class BankDetailsIn(Shape):
    """The bank of an international wire."""

    bank_name = Text(max_length=100)
    bank_city_state = Text(max_length=100, required=False, allow_blank=True)
    bank_country = Country()


class WireIn(Shape):
    """An account that international wires reach."""

    iban = Iban(max_length=42)
    swift_code = Swift(max_length=11)
    bank_details = BankDetailsIn()


class RecipientIn(Shape):
    """A recipient: of ACH by `electronicRoutingInfo`, or of international wires by the other."""

    recipient_id = Identifier(
        required=False, help_text="Yours to choose: the same recipient again is the same."
    )
    name = PartyName()
    emails = ListOf(child=Email(max_length=254), max_length=10)
    default_payment_method = OneOf(choices=(*numbers.METHODS, numbers.WIRE), required=False)
    electronic_routing_info = ElectronicIn(required=False)
    international_wire_routing_info = WireIn(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a recipient with both ways of routing or none, or by a method it cannot have."""
        wire = "international_wire_routing_info" in attrs
        if wire is ("electronic_routing_info" in attrs):
            said = "Give electronicRoutingInfo or internationalWireRoutingInfo, one of them."
            raise serializers.ValidationError({"electronicRoutingInfo": [said]})
        method = attrs.get("default_payment_method")
        if method and (method == numbers.WIRE) is not wire:
            said = "The routing information is not of this method."
            raise serializers.ValidationError({"defaultPaymentMethod": [said]})
        return attrs


class RecipientOut(Shape):
    """A recipient as it is kept; of its account the last four characters alone are told."""

    id = Text()
    recipient_id = Text()
    name = Text()
    kind = OneOf(choices=("ACH", "WIRE"))
    account_ending = Text()
    status = OneOf(choices=("PENDING", "SAVED", "REFUSED"), help_text="At the bank.")
    saved_at = EpochSeconds()


class Method(OneOf):
    """How a payment is sent."""

    def to_internal_value(self, data: Any) -> str:
        if data == numbers.WIRE:
            raise serializers.ValidationError(numbers.WIRE_HINT)
        return super().to_internal_value(data)


class PurposeIn(Shape):
    """What a payment is for."""

    category = OneOf(choices=numbers.CATEGORIES)


class SendIn(Shape):
    """A payment out of an account; the recipient is a saved one."""

    account_id = Identifier()
    recipient_id = Identifier()
    amount = Number(
        max_digits=14,
        decimal_places=2,
        min_value=Decimal("0.01"),
        max_value=MOST,
        help_text="In dollars.",
    )
    payment_method = Method(choices=numbers.METHODS)
    note = Text(max_length=200, required=False, allow_blank=True)
    idempotency_key = Text(
        max_length=200, required=False, help_text="Made up when left out. The same is one payment."
    )
    purpose = PurposeIn(required=False, help_text="Required for domesticWire.")
    additional_info = Text(
        max_length=300,
        required=False,
        allow_blank=True,
        help_text="Required for Vendor, Contractor and Other.",
    )
    svc_route = Flag(default=False, help_text="Tag it for settlement.")


class SendOut(Shape):
    """A payment as it stands: PENDING until the bank has taken it."""

    id = Text()
    status = OneOf(choices=("PENDING", "SENT", "FAILED"))
    account_id = Text()
    recipient_id = Text()
    amount = Number(max_value=MOST)
    payment_method = Text()
    idempotency_key = Text()
    asked_at = EpochSeconds()
    transaction_id = Text(required=False, help_text="The bank's.")


class AchIn(Shape):
    """An ACH payment to a saved recipient, with the account that the payer was given."""

    recipient_id = Identifier()
    amount = Number(max_digits=14, decimal_places=2, min_value=Decimal("0.01"), max_value=MOST)
    account_name = PartyName()
    routing_number = RoutingNumber(max_length=9)
    account_number = AccountNumber(max_length=17)
    memo = Text(max_length=200, required=False, allow_blank=True)


class ComplianceOut(Shape):
    """What the checks came to; `anomalyScore` is 0 to 100."""

    sanctions_clean = Flag()
    anomaly_score = Number()
    risk_tier = Text()


class AchOut(Shape):
    """APPROVED is sent by itself; FLAGGED waits for an officer; BLOCKED is a 403."""

    decision = OneOf(choices=("APPROVED", "FLAGGED"))
    requires_review = Flag()
    auto_execute = Flag()
    payment_id = Text()
    compliance = ComplianceOut()
