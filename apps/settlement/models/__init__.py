"""Models of settlements."""

from apps.settlement.models.access import (
    AccessChange,
    AccessChangeEvent,
    AccessRecord,
    SettlementAccess,
)
from apps.settlement.models.events import SettlementEvent
from apps.settlement.models.settlements import Settlement

__all__ = [
    "AccessChange",
    "AccessChangeEvent",
    "AccessRecord",
    "Settlement",
    "SettlementAccess",
    "SettlementEvent",
]
