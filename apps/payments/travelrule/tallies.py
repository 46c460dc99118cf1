"""Count records seal by seal, next to the ledger, so that no page has to count millions.

Each step of a record moves it from one count to another; the seals give the steps an immutable
order, and an examiner can compare the last counted position with the chain.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, QuerySet, Sum
from django.db.models.functions import TruncDate, TruncMonth

from apps.payments.travelrule.models import SameDay, Tally, TallyHead, TravelEvent, TravelRecord
from apps.payments.travelrule.rules import transitions
from apps.payments.travelrule.rules.aggregates import build_day_total
from apps.payments.travelrule.rules.record_status import BELOW, OUTBOUND
from apps.platform.common.days import start_of_day
from apps.platform.ledger.models import Seal
from apps.platform.ledger.verification.verified_reads import read_chain_end

AT_ONCE = 20_000  # seals in one transaction
WRITE_BATCH_SIZE = 1000  # rows in one statement
TallyKey = tuple[date, str, str, str]
OriginatorDay = tuple[date, str, int]  # and of which institution and originator
# the status that a transition leaves, empty for those that create a record
STATUS_BEFORE = {transition.code: transition.status for transition in transitions.TRANSITIONS}


def count_sealed_events(key: str, now: datetime) -> None:
    """Count what was sealed since the last run, in batches; the job `travelrule.count`."""
    while _count_batch(now):
        pass


def load_counted_position() -> tuple[int, datetime | None]:
    """Return the last counted position in the ledger, and when; 0 before the first time."""
    head = TallyHead.objects.filter(pk=1).first()
    return (head.position, head.at) if head else (0, None)


@transaction.atomic
def _count_batch(now: datetime) -> int:
    TallyHead.objects.get_or_create(pk=1)
    # locked: of two runs at once, the second begins where the first ends
    head = TallyHead.objects.select_for_update().get(pk=1)
    seals = Seal.objects.filter(ledger=TravelEvent.LEDGER, position__gt=head.position)
    places = seals.order_by("position").values_list("position", flat=True)
    last = places[:AT_ONCE].aggregate(last=Max("position"))["last"]
    if last is None:
        return 0
    sealed = seals.filter(position__lte=last)
    steps = TravelEvent.objects.filter(pk__in=sealed.values("record_id"))
    moved = _count_changes(steps)
    for (month, owner, direction, status), many in sorted(moved.items()):
        if many:
            which: dict[str, Any] = {"month": month, "owner": owner, "direction": direction}
            which["status"] = status
            row, _ = Tally.objects.get_or_create(**which, defaults={"count": 0})
            Tally.objects.filter(pk=row.pk).update(count=F("count") + many)
    _flag_days(steps)
    done, head.position, head.at = last - head.position, last, now
    head.save()
    return int(done)


def _count_changes(steps: QuerySet[TravelEvent]) -> Counter[TallyKey]:
    """Return the changes of counts by steps: one more in their status, one less in that before."""
    dated = steps.annotate(month=TruncMonth("record__created_at", tzinfo=UTC)).order_by()
    rows = dated.values_list("month", "record__owner", "record__direction", "status", "turn")
    moved: Counter[TallyKey] = Counter()
    for month, owner, direction, status, turn, many in rows.annotate(many=Count("pk")):
        moved[month.date(), owner, direction, status] += many
        if before := STATUS_BEFORE.get(turn, ""):
            moved[month.date(), owner, direction, before] -= many
    return moved


def _flag_days(steps: QuerySet[TravelEvent]) -> None:
    """Store the days on which an originator's payments below the threshold reach it together."""
    # a record's first step is its payment; three statements, however many records the batch has
    first_steps = steps.filter(
        number=1,
        record__direction=OUTBOUND,
        record__reason=BELOW,
        record__originator__isnull=False,
    )
    dated = first_steps.annotate(day=TruncDate("record__created_at", tzinfo=UTC)).order_by()
    days: set[OriginatorDay] = set(
        dated.values_list("day", "record__owner", "record__originator").distinct()
    )
    if not days:
        return
    SameDay.objects.bulk_create(
        [
            same_day
            for same_day in _sum_days(days, first_steps.values("record__originator"))
            if (same_day.day, same_day.owner, same_day.originator_id) in days
        ],
        update_conflicts=True,
        unique_fields=["day", "owner", "originator"],
        update_fields=["count", "total_usd"],
        batch_size=WRITE_BATCH_SIZE,
    )


def _sum_days(
    days: Collection[OriginatorDay], originators: QuerySet[Any, Any]
) -> Iterator[SameDay]:
    """Yield the flagged days among those on which these originators paid."""
    begins = start_of_day(min(day for day, _, _ in days))
    ends = start_of_day(max(day for day, _, _ in days)) + timedelta(days=1)
    rows = TravelRecord.objects.filter(
        originator__in=originators,
        direction=OUTBOUND,
        reason=BELOW,
        created_at__gte=begins,
        created_at__lt=ends,
    )
    dated = rows.annotate(day=TruncDate("created_at", tzinfo=UTC)).order_by()
    sums = dated.values_list("day", "owner", "originator")
    # a single payment below the threshold does not reach it
    totals = sums.annotate(many=Count("pk"), total=Sum("amount_usd")).filter(many__gt=1)
    for day, owner, originator, many, total in totals:
        if build_day_total(count=many, total_usd=total, day=day).flagged:
            yield SameDay(
                day=day, owner=owner, originator_id=originator, count=many, total_usd=total
            )


def verify_tallies(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words where counts or flagged days are not what the seals make them."""
    computed_tallies: Counter[TallyKey] = Counter()
    place = 0
    # counting goes on meanwhile: what was counted since is added until both are of one moment
    while True:
        until, _ = load_counted_position()
        seals = Seal.objects.filter(
            ledger=TravelEvent.LEDGER, position__gt=place, position__lte=until
        )
        computed_tallies.update(
            _count_changes(TravelEvent.objects.filter(pk__in=seals.values("record_id")))
        )
        progress(until - place)
        rows = Tally.objects.values_list("month", "owner", "direction", "status", "count")
        stored_tallies = {
            (day, who, way, status): many for day, who, way, status, many in rows if many
        }
        place = until
        if load_counted_position()[0] == until:
            break
    if until > read_chain_end(TravelEvent.LEDGER)[0]:
        yield "travel-rule records are counted beyond the end of the chain"
    expected_tallies = {key: many for key, many in computed_tallies.items() if many}
    for key in sorted({*stored_tallies, *expected_tallies}):
        if stored_tallies.get(key, 0) != expected_tallies.get(key, 0):
            month, owner, direction, status = key
            yield (
                f"the count of {direction} {status} of {owner or 'none'} in {month:%b %Y} is "
                f"{stored_tallies.get(key, 0)}, the ledger has {expected_tallies.get(key, 0)}"
            )
    yield from _find_unflagged_days(until)


def _find_unflagged_days(until: int) -> Iterator[str]:
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
        if not build_day_total(count=many, total_usd=total, day=day).flagged:
            continue
        # more is no fault: payments that are not counted yet may be in the stored sum
        same_days = SameDay.objects.filter(day=day, owner=owner, originator=originator)
        if not same_days.filter(count__gte=many, total_usd__gte=total).exists():
            yield f"a flagged day of party {originator}, {day}, is gone or too small"
