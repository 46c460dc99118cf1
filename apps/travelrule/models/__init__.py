"""Models of the travel-rule ledger."""

from apps.travelrule.models.events import TravelEvent
from apps.travelrule.models.parties import Party, PartyToken
from apps.travelrule.models.proofs import TreeNode, TreeRoot
from apps.travelrule.models.records import RecordKey, TravelRecord

__all__ = [
    "Party",
    "PartyToken",
    "RecordKey",
    "TravelEvent",
    "TravelRecord",
    "TreeNode",
    "TreeRoot",
]
