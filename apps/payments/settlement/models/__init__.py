"""Models of settlements."""

from apps.payments.settlement.models.access import (
    AccessChange,
    AccessChangeEvent,
    AccessRecord,
    SettlementAccess,
)
from apps.payments.settlement.models.events import SettlementEvent
from apps.payments.settlement.models.settlements import Settlement

__all__ = [
    "AccessChange",
    "AccessChangeEvent",
    "AccessRecord",
    "Settlement",
    "SettlementAccess",
    "SettlementEvent",
]
