"""Models of changes that take two people: proposals are abstract, their records are not."""

from apps.platform.desk.models.proposals import (
    Proposal,
    ProposalEvent,
    four_eyes_constraints,
    one_pending_constraint,
)
from apps.platform.desk.proposal_records import ProposalRecord

__all__ = [
    "Proposal",
    "ProposalEvent",
    "ProposalRecord",
    "four_eyes_constraints",
    "one_pending_constraint",
]
