"""What happens to cases. Each step is one compare-and-set and one ledger event.

Two officers can never both win a step: the loser's update finds no row and is told why.
"""

from apps.review.actions.claims import (
    AlreadyDecided,
    ClaimedByOther,
    NotAllowed,
    NotAwaiting,
    NotHeld,
    SameOfficer,
    claim,
    release,
    take_next,
)
from apps.review.actions.deciding import BadDecision, EvidenceAltered, confirm, decide, send_back
from apps.review.actions.opening import Resolution, open_case, resolution_of

__all__ = [
    "AlreadyDecided",
    "BadDecision",
    "ClaimedByOther",
    "EvidenceAltered",
    "NotAllowed",
    "NotAwaiting",
    "NotHeld",
    "Resolution",
    "SameOfficer",
    "claim",
    "confirm",
    "decide",
    "open_case",
    "release",
    "resolution_of",
    "send_back",
    "take_next",
]
