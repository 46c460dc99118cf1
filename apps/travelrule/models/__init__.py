"""Models of the travel-rule ledger."""

from apps.travelrule.models.engagements import (
    DrawnSample,
    Engagement,
    EngagementEvent,
    SavedFilter,
)
from apps.travelrule.models.events import TravelEvent
from apps.travelrule.models.parties import Party, PartyToken
from apps.travelrule.models.records import RecordKey, TravelRecord
from apps.travelrule.models.tallies import SameDay, Tally, TallyHead

__all__ = [
    "DrawnSample",
    "Engagement",
    "EngagementEvent",
    "Party",
    "PartyToken",
    "RecordKey",
    "SameDay",
    "SavedFilter",
    "Tally",
    "TallyHead",
    "TravelEvent",
    "TravelRecord",
]
