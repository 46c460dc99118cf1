"""Append one step of a case to the ledger of decisions."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.backoffice.review.models import Action, Case, DecisionEvent

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def record_decision_event(
    case: Case,
    action: Action,
    by: "User | None",
    now: datetime,
    payload: dict[str, Any],
    outcome: str = "",
) -> None:
    """Append one event to the ledger of decisions."""
    DecisionEvent.write(payload=payload, now=now, case=case, action=action, by=by, outcome=outcome)
