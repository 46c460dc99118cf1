"""Known false positives that end by themselves: the listed entry is another, or time is up."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.core.batches import chunks
from apps.desk.days import day_of
from apps.review.actions.knowing import end_all, expire
from apps.review.models import KnownAction, KnownFalsePositive, KnownState
from apps.review.models.known import LIVE
from apps.review.rules.known import expired, woken
from apps.review.telling import present

BATCH = 500


@dataclass(frozen=True, slots=True)
class Ended:
    """How many known false positives were woken, and how many expired."""

    woken: int
    expired: int


def wake(*, now: datetime) -> Ended:
    """End what is in force and whose listed entry changed or left, and what expired.

    Each batch takes the same few queries while nothing ends, and one more for each that does. It
    may run at any time, and right after a list went live.
    """
    done, gone = 0, 0
    standing = KnownFalsePositive.objects.filter(state__in=LIVE).order_by("pk")
    for batch in chunks(standing.iterator(BATCH), BATCH):
        today = day_of(now)
        late = [one for one in batch if expired(until=one.expires_on, today=today)]
        gone += expire(late, now) if late else 0
        held = [one for one in batch if one not in late and one.state == KnownState.IN_FORCE]
        if why := _changed(held):
            done += end_all(why, KnownState.WOKEN, KnownAction.WOKEN, now)
    return Ended(done, gone)


def _changed(held: Sequence[KnownFalsePositive]) -> dict[int, dict[str, str]]:
    """Return why each of those wakes whose entry is another: one look at the lists for a kind."""
    by_kind: dict[str, list[KnownFalsePositive]] = defaultdict(list)
    for one in held:
        by_kind[one.kind].append(one)
    found: dict[int, dict[str, str]] = {}
    for kind, rows in by_kind.items():
        entries = present(kind, sorted({one.entity for one in rows}))
        for one in rows:
            if why := woken(then=one.entry, now=entries.get(one.entity)):
                found[one.pk] = {"why": why, "entry": entries.get(one.entity, "")}
    return found
