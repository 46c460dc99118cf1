"""Models of payments."""

from apps.payments.models.events import PaymentEvent
from apps.payments.models.handovers import HandOver
from apps.payments.models.payments import MonthVolume, Payment

__all__ = ["HandOver", "MonthVolume", "Payment", "PaymentEvent"]
