"""Models of payments."""

from apps.payments.payments.models.events import PaymentEvent
from apps.payments.payments.models.payments import MonthVolume, Payment
from apps.payments.payments.models.travel_rule_handovers import HandOver

__all__ = ["HandOver", "MonthVolume", "Payment", "PaymentEvent"]
