"""What happens to cases. Each step is one compare-and-set and one ledger event.

Two officers can never both win a step: the loser's update finds no row and is told why.
"""

from apps.review.actions.claims import (
    AlreadyDecided,
    ClaimedByOther,
    Merged,
    NotAllowed,
    NotAwaiting,
    NotHeld,
    SameOfficer,
    claim,
    release,
)
from apps.review.actions.clearing import (
    NotTogether,
    assign_many,
    claim_many,
    clear_fault,
    confirm_clear,
    left_together,
    most_together,
    propose_clear,
    return_clear,
    shared_reasons,
)
from apps.review.actions.deciding import confirm, decide, send_back
from apps.review.actions.merging import NoDuplicate, merge, split
from apps.review.actions.opening import (
    Opening,
    Resolution,
    open_case,
    resolution_of,
    resolutions_of,
)
from apps.review.actions.referring import refer
from apps.review.actions.retiring import locked_undecided, retire
from apps.review.actions.routing import (
    BadRouting,
    assign,
    escalate,
    escalate_overdue,
    officers,
    snooze,
)
from apps.review.actions.soundness import BadDecision, EvidenceAltered
from apps.review.actions.taking import begin_anew, pass_over, take_next

__all__ = [
    "AlreadyDecided",
    "BadDecision",
    "BadRouting",
    "ClaimedByOther",
    "EvidenceAltered",
    "Merged",
    "NoDuplicate",
    "NotAllowed",
    "NotAwaiting",
    "NotHeld",
    "NotTogether",
    "Opening",
    "Resolution",
    "SameOfficer",
    "assign",
    "assign_many",
    "begin_anew",
    "claim",
    "claim_many",
    "clear_fault",
    "confirm",
    "confirm_clear",
    "decide",
    "escalate",
    "escalate_overdue",
    "left_together",
    "locked_undecided",
    "merge",
    "most_together",
    "officers",
    "open_case",
    "pass_over",
    "propose_clear",
    "refer",
    "release",
    "resolution_of",
    "resolutions_of",
    "retire",
    "return_clear",
    "send_back",
    "shared_reasons",
    "snooze",
    "split",
    "take_next",
]
