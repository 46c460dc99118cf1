"""Shapes of payments out of an account."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.payments.banking.rules import account_numbers, send_fields
from apps.payments.banking.serializers.fields import AccountNumber, RoutingNumber
from apps.payments.banking.serializers.webhook import BankExecutionOut, BankFeesOut
from apps.platform.api.shapes import (
    EpochSeconds,
    Flag,
    Identifier,
    Number,
    OneOf,
    PartyName,
    Shape,
    Text,
    Whole,
)

# dollars: what a JSON number carries to the cent
MAX_AMOUNT = Decimal(10**12 - 1)


class Method(OneOf):
    """How a payment is sent."""

    def to_internal_value(self, data: Any) -> str:
        # document 2 section 4, routing rule 6: say where wires are sent, not only that this is no
        # choice
        if data == account_numbers.WIRE:
            raise serializers.ValidationError(account_numbers.WIRE_HINT)
        return super().to_internal_value(data)


class PurposeIn(Shape):
    """What a payment is for."""

    category = OneOf(choices=send_fields.CATEGORIES)


class SendIn(Shape):
    """A payment from an account to a saved recipient."""

    account_id = Identifier()
    recipient_id = Identifier()
    amount = Number(
        max_digits=14,
        decimal_places=2,
        min_value=Decimal("0.01"),
        max_value=MAX_AMOUNT,
        help_text="In dollars.",
    )
    payment_method = Method(choices=account_numbers.METHODS)
    note = Text(max_length=200, required=False, allow_blank=True)
    idempotency_key = Text(
        max_length=200,
        required=False,
        help_text="Generated if omitted. A repeated key returns the same payment.",
    )
    purpose = PurposeIn(required=False, help_text="Required for domesticWire.")
    additional_info = Text(
        max_length=300,
        required=False,
        allow_blank=True,
        help_text="Required for Vendor, Contractor and Other.",
    )
    svc_route = Flag(default=False, help_text="Tag it for settlement.")


class RoutingOut(Shape):
    """How a payment with `svcRoute` is settled: its quote, and the transfer for you to execute."""

    quote_id = Text()
    amount = Text(help_text="Amount settled, in USD, before fees.")
    asset = Text()
    recipient = Text()
    destination_currency = Text()
    fees = BankFeesOut()
    execution = BankExecutionOut()


class SendOut(Shape):
    """The current state of a payment.

    PENDING until the bank has accepted it; SENT until the bank reports how it ended: SETTLED,
    RETURNED or FAILED, which it may revise.
    """

    id = Text()
    status = OneOf(choices=("PENDING", "SENT", "SETTLED", "RETURNED", "FAILED"))
    account_id = Text()
    recipient_id = Text()
    amount = Number(max_value=MAX_AMOUNT)
    payment_method = Text()
    idempotency_key = Text()
    asked_at = EpochSeconds()
    sent_at = EpochSeconds(required=False)
    transaction_id = Text(required=False, help_text="The bank's.")
    error = Text(required=False, help_text="Why it FAILED, in words.")
    routing = RoutingOut(required=False, help_text="Once it is routed for settlement.")


class SendsOut(Shape):
    """A page of payments, newest first; `withheld` counts those with failed integrity checks."""

    items = SendOut(many=True)  # type: ignore[assignment]
    next = Text(allow_null=True)
    previous = Text(allow_null=True)
    withheld = Whole(required=False)


class AchIn(Shape):
    """An ACH payment to a saved recipient, from the account assigned to the payer."""

    recipient_id = Identifier()
    amount = Number(
        max_digits=14, decimal_places=2, min_value=Decimal("0.01"), max_value=MAX_AMOUNT
    )
    account_name = PartyName()
    routing_number = RoutingNumber(max_length=9)
    account_number = AccountNumber(max_length=17)
    memo = Text(max_length=200, required=False, allow_blank=True)


class ComplianceOut(Shape):
    """The results of the checks; `anomalyScore` is 0 to 100."""

    sanctions_clean = Flag()
    anomaly_score = Number()
    risk_tier = Text()


class AchOut(Shape):
    """APPROVED is sent automatically; FLAGGED waits for an officer; BLOCKED is a 403."""

    decision = OneOf(choices=("APPROVED", "FLAGGED"))
    requires_review = Flag()
    auto_execute = Flag()
    payment_id = Text()
    compliance = ComplianceOut()
