"""Cases that need a person, and the ledger of what officers did with them."""

from apps.backoffice.review.models.bulk_clears import BulkClear
from apps.backoffice.review.models.case_choices import Escalation, Outcome, Risk, Status
from apps.backoffice.review.models.cases import Case, CaseQuerySet
from apps.backoffice.review.models.events import Action, DecisionEvent
from apps.backoffice.review.models.known_false_positives import (
    KnownAction,
    KnownEvent,
    KnownFalsePositive,
    KnownState,
)
from apps.backoffice.review.models.passed_cases import Passed
from apps.backoffice.review.models.queue_queries import UNDECIDED
from apps.backoffice.review.models.severity_page import Triage

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
