"""Shapes of stream sessions and of the discovery document."""

import re
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.platform.api.representation import to_plain_json
from apps.platform.api.shapes import (
    EpochSeconds,
    Flag,
    FreeObject,
    OneOf,
    Problem,
    Shape,
    Text,
    Whole,
)
from apps.platform.common.money import DECIMALS, from_micro
from config.prices import STREAM, STREAM_UNITS

DAY = 86_400
LONGEST = 30 * DAY  # seconds that a session may last


class Usdc(Text):
    """An amount of USDC with at most six decimals, as text: `"1.00"`.

    A number is accepted too, rounded to six decimals: the 402 states the amount before it is paid.
    """

    least, most = from_micro(STREAM.paid), from_micro(STREAM.most)
    pattern = r"^[0-9]{1,9}(\.[0-9]{1,6})?$"

    def to_internal_value(self, data: Any) -> str:
        # JSON numbers arrive as Decimal, never as float; `true` is an int to Python
        is_number = isinstance(data, int | Decimal) and not isinstance(data, bool)
        text = "" if is_number else super().to_internal_value(data)
        if not is_number and not re.fullmatch(self.pattern, text, re.ASCII):
            raise serializers.ValidationError('Write the amount as a string, such as "1.00".')
        amount = Decimal(data if is_number else text)
        # before rounding: 0.0099999 is too little, although it rounds to 0.01
        if not self.least <= amount <= self.most:
            raise serializers.ValidationError(
                f"This must be from {self.least} to {self.most} USDC."
            )
        return text or f"{round(amount, DECIMALS).normalize():f}"

    def openapi(self, direction: str) -> dict[str, Any]:
        text = super().openapi(direction)
        number = {"type": "number", "minimum": to_plain_json(self.least)}
        number["maximum"] = to_plain_json(self.most)
        return {"oneOf": [text, number]} if direction == "request" else text


def format_wire_usdc(amount: Decimal) -> str:
    """Format an amount for the wire: without an exponent, at least two decimals."""
    return f"{amount:f}" if -amount.as_tuple().exponent >= 2 else f"{amount:.2f}"  # type: ignore[operator]


class OpenIn(Shape):
    """How much credit to buy, and what for."""

    amount_usdc = Usdc(help_text="From 0.01 to 10000. Many clients refuse to pay more than 1.")
    unit_type = OneOf(choices=tuple(STREAM_UNITS))
    expires_in = Whole(
        required=False, default=DAY, min_value=60, max_value=LONGEST, help_text="Seconds."
    )
    reference = Text(required=False, max_length=100, allow_blank=True, default="")


class SessionOut(Shape):
    """The current state of a session; amounts are strings in USDC."""

    session_id = Text()
    state = OneOf(choices=("OPEN", "CLOSED", "EXPIRED"))
    unit_type = Text()
    unit_price_usdc = Text()
    paid_usdc = Text()
    balance_usdc = Text()
    refundable_usdc = Text(
        required=False, help_text="The amount owed back; present once the session is closed."
    )
    reference = Text()
    opened_at = EpochSeconds()
    expires_at = EpochSeconds()
    closed_at = EpochSeconds(required=False)


class OpenOut(SessionOut):
    """A new session; `secret` is returned once. Send it in the header `X-Stream-Session`."""

    secret = Text()


class TickIn(Shape):
    """Used units; sending the same `tickId` again takes nothing more."""

    tick_id = Text(max_length=64)
    unit = OneOf(choices=tuple(STREAM_UNITS))
    count = Whole(min_value=1, max_value=10**12)


class TickOut(Shape):
    """What one tick took, and what was left after it."""

    session_id = Text()
    tick_id = Text()
    unit = Text()
    count = Whole()
    amount_usdc = Text()
    balance_usdc = Text()
    replayed = Flag()
    ticked_at = EpochSeconds()


class Offered(Shape):
    """One way to pay, in the format of x402 version 1; version 2 is in `PAYMENT-REQUIRED`."""

    scheme = Text()
    network = Text()
    max_amount_required = Text(help_text="In the token's smallest units.")
    pay_to = Text()
    max_timeout_seconds = Whole()
    asset = Text(help_text="Address of the token.")
    resource = Text()
    description = Text()
    mime_type = Text()
    extra = FreeObject(help_text="`name` and `version` of the token's signing domain.")


class FeeOut(Shape):
    """The price of a call, in whole coins of the asset."""

    amount_usdc = Text()
    asset = Text()


class ReportPreviewOut(Shape):
    """The report on sale (document 2 section 2.6): its kind, its contents and its price."""

    type = Text()
    what_you_get = serializers.ListField(child=Text())
    fee = FeeOut()


class PaymentProblem(Problem):
    """A 402. It includes payment requirements unless a session has too little credit.

    `paymentRequirements` is the list of `accepts` (document 3 section 7).
    """

    x402_version = Whole(required=False)
    error = Text(required=False, help_text="Why a payment was refused, in the terms of x402.")
    accepts = Offered(many=True, required=False)  # type: ignore[assignment]
    payment_requirements = Offered(many=True, required=False)  # type: ignore[assignment]
    report_preview = ReportPreviewOut(required=False, help_text="Present if a report is sold.")
