"""Payments, their receipts and steps, stream sessions and what was taken from them."""

from apps.paywall.models.claims import PaymentClaim, State
from apps.paywall.models.receipts import Receipt
from apps.paywall.models.sessions import StreamSession, Tick
from apps.paywall.models.steps import PaymentStep

__all__ = ["PaymentClaim", "PaymentStep", "Receipt", "State", "StreamSession", "Tick"]
