"""Shapes of the bank's webhook."""

from typing import Any

from rest_framework import serializers

from apps.payments.banking.models.transactions import MAX_ID_LENGTH
from apps.platform.api.shapes import FreeObject, ListOf, OneOf, Shape, Text, Whole

ACTIONS = ("ignored", "waiting", "held", "routed")


class Patch(FreeObject):
    """A JSON merge patch of an object (RFC 7396), its numbers exact."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be a JSON object.")
        return data


class BankEventIn(Shape):
    """A delivery of the bank's webhook; unknown fields are ignored."""

    FREE = True

    id = Text(
        max_length=MAX_ID_LENGTH,
        help_text="Id of the delivery: a repeated id gets the same answer.",
    )
    resource_type = Text(max_length=40, help_text="`transaction`, `checkingAccount`, …")
    resource_id = Text(max_length=MAX_ID_LENGTH)
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
        # the provider may add fields at any time: a delivery must not be refused for them
        known = {name: value for name, value in data.items() if name in self.fields}
        return {"event": super().run_validation(known), "raw": getattr(data, "raw", b"")}


class BankFeesOut(Shape):
    """The price of a settlement, in USD; `fx` only if currencies are crossed."""

    core = Text()
    fx = Text()
    esg = Text()
    license = Text()
    total = Text()


class BankExecutionOut(Shape):
    """The transfer that settles it: the holder of the funds sends it, and we watch for it."""

    chain_id = Whole()
    network = Text()
    asset = Text()
    asset_address = Text()
    recipient = Text()
    amount = Text(help_text="In the asset.")
    amount_minor = Text(help_text="The same in the asset's smallest units.")
    reference = Text(
        help_text="32 bytes that identify the order: the nonce of an EIP-3009 transfer."
    )
    deadline = Whole(help_text="Unix seconds.")


class WebhookOut(Shape):
    """The result of a delivery.

    `routed` has quote and execution parameters. `waiting` is retried automatically; `held` waits
    for an officer: do not pay it in the meantime.
    """

    action = OneOf(choices=ACTIONS)
    rule = Text(help_text="The row of the table that decided (docs/rules.md).")
    reason = Text()
    delivery_id = Text()
    resource_id = Text()
    quote_id = Text(required=False)
    amount = Text(required=False, help_text="Amount settled, in USD, before fees.")
    asset = Text(required=False)
    recipient = Text(required=False)
    destination_currency = Text(required=False)
    fees = BankFeesOut(required=False)
    execution = BankExecutionOut(required=False)
