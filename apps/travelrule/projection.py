"""Holds records as they stand against the ledger of what happened to them."""

from collections.abc import Callable, Iterator, Sequence

from apps.core.lasting import differences, last_events, standing_fault
from apps.travelrule.models import TravelEvent, TravelRecord


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each record that is not as its last event has it.

    Then for each that lost its key, or is found by other parties, without a purge of ours.
    """
    rows = TravelRecord.objects.select_related("key", "originator", "beneficiary")
    yield from differences(rows, _differs, progress)


def _differs(records: Sequence[TravelRecord]) -> Iterator[str]:
    yield from faults(records).values()
    yield from _lost(records)


def faults(records: Sequence[TravelRecord]) -> dict[int, str]:
    """Return what differs between records and their last events, by number; one query."""
    events = TravelEvent.objects.filter(record__in=[one.pk for one in records])
    held = last_events(events, of="record")
    return {one.pk: why for one in records if (why := _fault(one, held.get(one.pk)))}


def _fault(record: TravelRecord, event: TravelEvent | None) -> str:
    if event is None:
        return f"travel-rule record {record.pk} has no event {record.steps} of ours"
    if event.number != record.steps:
        return f"travel-rule record {record.pk} went on: its last event is {event.pk}"
    if standing_fault(event, record.stands):
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
