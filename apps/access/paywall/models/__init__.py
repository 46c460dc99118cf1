"""Payments, their receipts and steps, stream sessions and their ticks."""

from apps.access.paywall.models.payment_claims import PaymentClaim, State
from apps.access.paywall.models.receipts import Receipt
from apps.access.paywall.models.sessions import StreamSession, Tick
from apps.access.paywall.models.steps import PaymentStep

__all__ = ["PaymentClaim", "PaymentStep", "Receipt", "State", "StreamSession", "Tick"]
