"""Models of the travel-rule ledger."""

from apps.travelrule.models.alike import AlikeOfDay
from apps.travelrule.models.engagements import (
    DrawnSample,
    Engagement,
    EngagementEvent,
    SavedFilter,
)
from apps.travelrule.models.events import TravelEvent
from apps.travelrule.models.parties import Party, PartyToken
from apps.travelrule.models.proofs import TreeNode, TreeRoot, TreeStamp
from apps.travelrule.models.records import RecordKey, RecordRow, TravelRecord
from apps.travelrule.models.tallies import SameDay, Tally, TallyHead
from apps.travelrule.models.transmissions import Transmission, TravelAttempt
from apps.travelrule.models.vasps import (
    Served,
    Vasp,
    VaspChange,
    VaspChangeEvent,
    VaspKey,
    VaspRecord,
)

__all__ = [
    "AlikeOfDay",
    "DrawnSample",
    "Engagement",
    "EngagementEvent",
    "Party",
    "PartyToken",
    "RecordKey",
    "RecordRow",
    "SameDay",
    "SavedFilter",
    "Served",
    "Tally",
    "TallyHead",
    "Transmission",
    "TravelAttempt",
    "TravelEvent",
    "TravelRecord",
    "TreeNode",
    "TreeRoot",
    "TreeStamp",
    "Vasp",
    "VaspChange",
    "VaspChangeEvent",
    "VaspKey",
    "VaspRecord",
]
