"""Models of the travel-rule ledger."""

from apps.payments.travelrule.models.engagements import Engagement, EngagementEvent
from apps.payments.travelrule.models.events import TravelEvent
from apps.payments.travelrule.models.identical_messages import AlikeOfDay
from apps.payments.travelrule.models.merkle_tree import TreeNode, TreeRoot, TreeStamp
from apps.payments.travelrule.models.parties import Party, PartyToken
from apps.payments.travelrule.models.records import RecordKey, RecordRow, TravelRecord
from apps.payments.travelrule.models.samples import DrawnSample, SavedFilter
from apps.payments.travelrule.models.tallies import SameDay, Tally, TallyHead
from apps.payments.travelrule.models.transmissions import Transmission, TravelAttempt
from apps.payments.travelrule.models.vasps import (
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
