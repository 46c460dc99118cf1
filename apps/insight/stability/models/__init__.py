"""Models of the stability service."""

from apps.insight.stability.models.fee_quotes import Quote
from apps.insight.stability.models.runs import RunNote, StabilityRun
from apps.insight.stability.models.tier_weights import (
    TierChange,
    TierChangeEvent,
    TierOutcome,
    TierRecord,
)

__all__ = [
    "Quote",
    "RunNote",
    "StabilityRun",
    "TierChange",
    "TierChangeEvent",
    "TierOutcome",
    "TierRecord",
]
