"""Change the state of a known false positive, and record its event."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.backoffice.review.models import KnownAction, KnownEvent, KnownFalsePositive, KnownState
from apps.platform.common.problems import Conflict

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class KnownFalsePositiveConflict(Conflict):
    """It has changed since the officer saw it."""

    code, title = "known_changed", "The known false positive has changed"


def transition_known(
    known: KnownFalsePositive, state: KnownState, change: dict[str, Any], **same: Any
) -> None:
    """Change one that is in `state`; KnownFalsePositiveConflict if another officer was faster."""
    # compare-and-set: of two officers one finds the row as it was
    false_positives = KnownFalsePositive.objects.filter(pk=known.pk, state=state, **same)
    if not false_positives.update(**change):
        raise KnownFalsePositiveConflict("This has been decided in the meantime. Review it again.")


def record_known_event(
    known: KnownFalsePositive,
    action: KnownAction,
    by: "User | None",
    now: datetime,
    payload: dict[str, Any],
) -> None:
    """Append one record to the ledger."""
    KnownEvent.write(payload=payload, now=now, known=known, action=action, by=by)
