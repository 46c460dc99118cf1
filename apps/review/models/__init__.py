"""Cases that need a person, and the ledger of what officers did with them."""

from apps.review.models.bulk import BulkClear
from apps.review.models.cases import Case, CaseQuerySet
from apps.review.models.events import Action, DecisionEvent
from apps.review.models.known import (
    KnownAction,
    KnownEvent,
    KnownFalsePositive,
    KnownState,
)
from apps.review.models.passed import Passed
from apps.review.models.queries import (
    UNDECIDED,
    Escalation,
    Outcome,
    Risk,
    Status,
)
from apps.review.models.triage import Triage

__all__ = [
    "UNDECIDED",
    "Action",
    "BulkClear",
    "Case",
    "CaseQuerySet",
    "DecisionEvent",
    "Escalation",
    "KnownAction",
    "KnownEvent",
    "KnownFalsePositive",
    "KnownState",
    "Outcome",
    "Passed",
    "Risk",
    "Status",
    "Triage",
]
