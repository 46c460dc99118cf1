"""Holds records as they stand against the ledger of what happened to them."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db.models import F, Q

from apps.core import macs
from apps.core.envelopes import form
from apps.core.lasting import last_events, standing_fault
from apps.core.side_by_side import WHOLE, Span, read, spans
from apps.travelrule.models import TravelEvent, TravelRecord
from apps.travelrule.models.records import standing_columns, stands_of
from apps.travelrule.steps import PROOF, is_ours

AT_ONCE = 1000
BESIDE = ("pk", "pk", "steps", "key__pk", "originator__token", "beneficiary__token")
STEP = ("record_id", "number", *PROOF)


def parts(processes: int) -> list[Span]:
    """Return the stretches of records that can be compared at once."""
    last = TravelRecord.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return spans(last, processes)


def compare(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield a fault in words for each record that is not as its last event has it.

    Then for each that lost its key, or is found by other parties, without a purge of ours. Rows
    are compared as they stand; those of a piece that does not hold as a whole one by one.
    """
    names = (*BESIDE, *standing_columns())
    for piece in read(TravelRecord.objects.all(), "pk", span, names, AT_ONCE):
        if not _whole(piece):
            ids = [row[0] for row in piece]
            records = TravelRecord.objects.select_related("key", "originator", "beneficiary")
            found = list(records.filter(pk__in=ids).order_by("pk"))
            yield from faults(found).values()
            yield from _lost(found)
        progress(len(piece))


def _whole(piece: Sequence[tuple[Any, ...]]) -> bool:
    """Tell whether all records of a piece are as their events have them; two queries."""
    shape = form(TravelEvent, TravelEvent.PURGEABLE)
    rows = TravelEvent.objects.filter(record_id__gte=piece[0][0], record_id__lte=piece[-1][0])
    wanted = rows.filter(Q(number=1) | Q(number__gte=F("record__steps")))
    steps: dict[tuple[int, int], tuple[Any, ...]] = {}
    counts = {row[0]: max(row[2], 1) for row in piece}
    for row in wanted.order_by().values_list(*STEP, *shape.own):
        if row[:2] in steps or row[1] > counts[row[0]]:  # a row that was set back has more steps
            return False
        steps[row[:2]] = row
    return all(_holds(row, steps) for row in piece)


def _ours(step: tuple[Any, ...]) -> bool:
    return is_ours(step[2 : len(STEP)], step[len(STEP) :], macs.keys())


def _holds(row: tuple[Any, ...], steps: dict[tuple[int, int], tuple[Any, ...]]) -> bool:
    """Tell whether a record has its first and last event, its key and the parties it names."""
    number, _, count, key, *sides = row[: len(BESIDE)]
    first, last = steps.get((number, 1)), steps.get((number, count))
    if not (first and last and key and first[2] and _ours(last)):
        return False
    said = json.loads(first[2])
    final = said if last is first else json.loads(last[2])
    stands = stands_of(row[len(BESIDE) :])
    return final["stands"] == stands and said["parties"] == [one or "" for one in sides]


def faults(records: Sequence[TravelRecord]) -> dict[int, str]:
    """Return what differs between records and their last events, by number; one query."""
    events = TravelEvent.objects.filter(record__in=[one.pk for one in records])
    held = last_events(events, of="record")
    return {one.pk: why for one in records if (why := _fault(one, held.get(one.pk)))}


def _fault(record: TravelRecord, event: TravelEvent | None) -> str:
    if event is None:
        return f"travel-rule record {record.pk} has no event of ours for its last step"
    if (event.number, event.status) != (record.steps, record.status):
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
