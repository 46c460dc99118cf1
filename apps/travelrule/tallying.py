"""Counts records beside the ledger, seal by seal, so that no page has to count millions.

Each step of a record moves one from a count to another; the seals give the steps an order that
nobody can change, and how far was counted is a place that an examiner can hold against the chain.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Sum
from django.db.models.functions import TruncDate

from apps.core.batches import chunks
from apps.core.chain import last_seal
from apps.core.models import Seal
from apps.travelrule.models import SameDay, Tally, TallyHead, TravelEvent, TravelRecord
from apps.travelrule.rules import lifecycle
from apps.travelrule.rules.aggregates import summed
from apps.travelrule.rules.recording import BELOW, OUTBOUND

AT_ONCE = 2000
Key = tuple[date, str, str, str]
Day = tuple[date, str, int]  # and of which institution and originator
FROM = {one.code: one.status for one in lifecycle.TURNS}


def count(key: str, now: datetime) -> None:
    """Count all that was sealed since, some at once; the job `travelrule.count`."""
    while _count_some(now):
        pass


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
    """Keep the days on which an originator's payments below the threshold reach it together.

    Two statements for the days of many records: all payments of these originators are summed.
    """
    days = {_day_of(one): one for one in records if _counts(one)}
    if not days:
        return
    SameDay.objects.bulk_create(
        [one for one in _sums(days) if (one.day, one.owner, one.originator_id) in days],
        update_conflicts=True,
        unique_fields=["day", "owner", "originator"],
        update_fields=["count", "total_usd"],
    )


def _sums(days: Iterable[Day]) -> Iterator[SameDay]:
    """Yield the flagged days among those on which the originators of these paid."""
    kept = list(days)
    begins = datetime.combine(min(day for day, _, _ in kept), time(), UTC)
    ends = datetime.combine(max(day for day, _, _ in kept), time(), UTC) + timedelta(days=1)
    rows = TravelRecord.objects.filter(
        originator__in={originator for _, _, originator in kept},
        direction=OUTBOUND,
        reason=BELOW,
        created_at__gte=begins,
        created_at__lt=ends,
    )
    dated = rows.annotate(day=TruncDate("created_at", tzinfo=UTC)).order_by()
    sums = dated.values_list("day", "owner", "originator")
    for day, owner, originator, many, total in sums.annotate(
        many=Count("pk"), total=Sum("amount_usd")
    ):
        if summed(count=many, total_usd=total, day=day).flagged:
            yield SameDay(
                day=day, owner=owner, originator_id=originator, count=many, total_usd=total
            )


def _counts(record: TravelRecord) -> bool:
    below = record.reason == BELOW and record.direction == OUTBOUND
    return below and record.originator_id is not None


def _day_of(record: TravelRecord) -> Day:
    assert record.originator_id is not None
    return record.created_at.astimezone(UTC).date(), record.owner, record.originator_id


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words where counts or flagged days are not what the seals make them."""
    made: Counter[Key] = Counter()
    place = 0
    while True:
        until, _ = counted_to()
        for some in chunks(_places(place, until), AT_ONCE):
            for step in TravelEvent.objects.filter(pk__in=some).select_related("record"):
                made.update(_moved(step))
            progress(len(some))
        rows = Tally.objects.values_list("month", "owner", "direction", "status", "count")
        held: dict[Key, int] = {(a, b, c, d): many for a, b, c, d, many in rows if many}
        place = until
        if counted_to()[0] == until:  # nobody counted meanwhile: both are of one moment
            break
    if until > last_seal(TravelEvent.LEDGER)[0]:
        yield "travel-rule records are counted beyond the end of the chain"
    borne = {key: many for key, many in made.items() if many}
    for key in sorted({*held, *borne}):
        if held.get(key, 0) != borne.get(key, 0):
            month, owner, direction, status = key
            yield (
                f"the count of {direction} {status} of {owner or 'none'} in {month:%b %Y} is "
                f"{held.get(key, 0)}, the ledger has {borne.get(key, 0)}"
            )
    yield from _unflagged(until)


def _places(above: int, until: int) -> Iterator[int]:
    """Yield the numbers of the events that were sealed from one place to another."""
    seals = Seal.objects.filter(
        ledger=TravelEvent.LEDGER, position__gt=above, position__lte=until
    ).order_by("position")
    yield from seals.values_list("record_id", flat=True).iterator(AT_ONCE)


def _unflagged(until: int) -> Iterator[str]:
    """Yield the days of counted payments that reach the threshold together and are not flagged."""
    sealed = Seal.objects.filter(
        ledger=TravelEvent.LEDGER, position__lte=until, record_id=OuterRef("pk")
    )
    counted = TravelEvent.objects.filter(Exists(sealed), record=OuterRef("pk"), number=1)
    rows = TravelRecord.objects.filter(
        Exists(counted), direction=OUTBOUND, reason=BELOW, originator__isnull=False
    )
    dated = rows.annotate(day=TruncDate("created_at", tzinfo=UTC)).order_by()
    sums = dated.values_list("day", "owner", "originator")
    for day, owner, originator, many, total in sums.annotate(
        many=Count("pk"), total=Sum("amount_usd")
    ).iterator(AT_ONCE):
        if not summed(count=many, total_usd=total, day=day).flagged:
            continue
        told = SameDay.objects.filter(day=day, owner=owner, originator=originator)
        if not told.filter(count__gte=many, total_usd__gte=total).exists():
            yield f"a flagged day of party {originator}, {day}, is gone or too small"
