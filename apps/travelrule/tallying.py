"""Counts records beside the ledger, seal by seal, so that no page has to count millions.

Each step of a record moves one from a count to another; the seals give the steps an order that
nobody can change, and how far was counted is a place that an examiner can hold against the chain.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from apps.core.models import Seal
from apps.travelrule.days import payments_of_day
from apps.travelrule.models import SameDay, Tally, TallyHead, TravelEvent, TravelRecord
from apps.travelrule.rules import lifecycle
from apps.travelrule.rules.aggregates import Together, together
from apps.travelrule.rules.recording import BELOW, OUTBOUND

AT_ONCE = 2000
Key = tuple[date, str, str, str]
FROM = {one.code: one.status for one in lifecycle.TURNS}


def count(key: str, now: datetime, progress: Callable[[int], None] | None = None) -> None:
    """Count all that was sealed since, some at once; the job `travelrule.count`."""
    while done := _count_some(now):
        if progress:
            progress(done)


def counted_to() -> tuple[int, datetime | None]:
    """Return up to which seal of the ledger it was counted, and when; 0 before the first time."""
    head = TallyHead.objects.filter(pk=1).first()
    return (head.position, head.at) if head else (0, None)


@transaction.atomic
def _count_some(now: datetime) -> int:
    TallyHead.objects.get_or_create(pk=1)
    head = TallyHead.objects.select_for_update().get(pk=1)
    seals = Seal.objects.filter(ledger=TravelEvent.LEDGER, position__gt=head.position)
    places = list(seals.order_by("position").values_list("position", "record_id")[:AT_ONCE])
    if not places:
        return 0
    rows = TravelEvent.objects.filter(pk__in=[number for _, number in places])
    steps = list(rows.select_related("record").defer("payload"))
    moved: Counter[Key] = Counter()
    for one in steps:
        moved.update(_moved(one))
    _add(moved)
    _flag([one.record for one in steps if one.number == 1])
    head.position, head.at = places[-1][0], now
    head.save()
    return len(places)


def _moved(step: TravelEvent) -> dict[Key, int]:
    """Return what a step adds to which counts: one to its status, one less to that before."""
    record = step.record
    day = record.created_at.astimezone(UTC).date().replace(day=1)
    found = {(day, record.owner, record.direction, step.status): 1}
    if before := FROM.get(step.turn, ""):
        found[(day, record.owner, record.direction, before)] = -1
    return found


def _add(moved: Counter[Key]) -> None:
    for (month, owner, direction, status), many in sorted(moved.items()):
        if many:
            which: dict[str, Any] = {"month": month, "owner": owner, "direction": direction}
            which["status"] = status
            row, _ = Tally.objects.get_or_create(**which, defaults={"count": 0})
            Tally.objects.filter(pk=row.pk).update(count=F("count") + many)


def _flag(records: Iterable[TravelRecord]) -> None:
    """Keep the days on which an originator's payments below the threshold reach it together."""
    days: dict[tuple[Any, ...], TravelRecord] = {}
    for one in records:
        below = one.reason == BELOW and one.direction == OUTBOUND
        if below and one.originator_id is not None:
            days[(one.created_at.astimezone(UTC).date(), one.owner, one.originator_id)] = one
    for (day, owner, originator), one in days.items():
        found = _together(one, day)
        if found.flagged:
            SameDay.objects.update_or_create(
                day=day,
                owner=owner,
                originator_id=originator,
                defaults={"count": found.count, "total_usd": found.total_usd},
            )


def _together(record: TravelRecord, day: date) -> Together:
    rows = payments_of_day(record, TravelRecord.objects.all())
    amounts = rows.values_list("amount_usd", flat=True)
    return together(amounts_usd=[one for one in amounts if one is not None], day=day)
