"""Models of payments."""

from apps.payments.payments.models.events import PaymentEvent
from apps.payments.payments.models.handovers import HandOver
from apps.payments.payments.models.payments import MonthVolume, Payment

__all__ = ["HandOver", "MonthVolume", "Payment", "PaymentEvent"]
