"""Known false positives that end by themselves: the listed entry is another, or time is up."""

from dataclasses import dataclass
from datetime import datetime

from apps.backoffice.review.models import KnownAction, KnownFalsePositive, KnownState
from apps.backoffice.review.models.known_false_positives import LIVE
from apps.backoffice.review.rules.known_false_positives import is_expired
from apps.backoffice.review.selectors.entry_changes import find_entry_changes
from apps.backoffice.review.services.known_false_positive_proposals import (
    end_known_false_positives,
    expire_known_false_positives,
)
from apps.platform.common.batches import iter_chunks
from apps.platform.desk.local_dates import local_date

BATCH = 500


@dataclass(frozen=True, slots=True)
class EndedCounts:
    """How many known false positives were woken, and how many expired."""

    woken: int
    expired: int


def wake_known_false_positives(*, now: datetime) -> EndedCounts:
    """End what is in force and whose listed entry changed or left, and what expired.

    Each batch takes the same few queries while nothing ends, and one more for each that does. It
    may run at any time, and right after a list went live.
    """
    done, gone = 0, 0
    standing = KnownFalsePositive.objects.filter(state__in=LIVE).order_by("pk")
    for batch in iter_chunks(standing.iterator(BATCH), BATCH):
        today = local_date(now)
        late = [
            positive for positive in batch if is_expired(until=positive.expires_on, today=today)
        ]
        gone += expire_known_false_positives(late, now) if late else 0
        false_positives = [
            positive
            for positive in batch
            if positive not in late and positive.state == KnownState.IN_FORCE
        ]
        changes = {
            pk: change for pk, change in find_entry_changes(false_positives).items() if change.why
        }
        if changes:
            why = {pk: {"why": change.why, "entry": change.entry} for pk, change in changes.items()}
            done += end_known_false_positives(why, KnownState.WOKEN, KnownAction.WOKEN, now)
    return EndedCounts(done, gone)
