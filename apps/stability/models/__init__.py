"""Models of the stability service."""

from apps.stability.models.quotes import Quote
from apps.stability.models.runs import RunNote, StabilityRun
from apps.stability.models.tiers import TierChange, TierChangeEvent, TierOutcome, TierRecord

__all__ = [
    "Quote",
    "RunNote",
    "StabilityRun",
    "TierChange",
    "TierChangeEvent",
    "TierOutcome",
    "TierRecord",
]
