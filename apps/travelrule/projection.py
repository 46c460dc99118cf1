"""Holds records as they stand against the ledger of what happened to them."""

from collections.abc import Callable, Iterator, Sequence

from django.db.models import F

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.travelrule.models import TravelEvent, TravelRecord

AT_ONCE = 500


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each record that is not as its last event has it.

    Then for each that lost its key, or is found by other parties, without a purge of ours.
    """
    rows = TravelRecord.objects.select_related("key", "originator", "beneficiary").order_by("pk")
    for piece in chunks(rows.iterator(AT_ONCE), AT_ONCE):
        yield from faults(piece).values()
        yield from _lost(piece)
        progress(len(piece))


def faults(records: Sequence[TravelRecord]) -> dict[int, str]:
    """Return what differs between records and their last events, by number; one query."""
    last = TravelEvent.objects.filter(
        record__in=[one.pk for one in records], number=F("record__steps")
    )
    held = {one.record_id: one for one in proven(last)}
    return {one.pk: why for one in records if (why := _fault(one, held.get(one.pk)))}


def _fault(record: TravelRecord, event: TravelEvent | None) -> str:
    if event is None:
        return f"travel-rule record {record.pk} has no event {record.steps} of ours"
    if not event.purged and event.data["stands"] != record.stands:
        return f"travel-rule record {record.pk} is not as event {event.pk} has it"
    return ""


def _lost(records: Sequence[TravelRecord]) -> Iterator[str]:
    first = TravelEvent.objects.filter(record__in=[one.pk for one in records], number=1)
    kept = {one.record_id: one.data for one in first if not one.purged}
    for one in records:
        said = kept.get(one.pk)
        if said is None:
            continue
        if not hasattr(one, "key"):
            yield f"travel-rule record {one.pk} has lost its key"
        found = [side.token if side else "" for side in (one.originator, one.beneficiary)]
        if found != said["parties"]:
            yield f"travel-rule record {one.pk} is found by other parties than it names"
