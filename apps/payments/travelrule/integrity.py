"""Verify records against the ledger of their events."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db.models import F, Q

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.models.records import digest_state, list_state_columns
from apps.payments.travelrule.selectors.event_rows import PROOF_COLUMNS, has_valid_mac
from apps.platform.crypto import macs
from apps.platform.db.parallel_scan import WHOLE, Span, read_columns, split_range
from apps.platform.ledger.envelope_encoding import envelope_encoder
from apps.platform.ledger.verification.state_row_checks import is_changed_since, load_last_events

AT_ONCE = 1000  # records in one batch
LINK_COLUMNS = ("pk", "pk", "steps", "key__pk", "originator__token", "beneficiary__token")
EVENT_COLUMNS = ("record_id", "number", *PROOF_COLUMNS)


def split_record_spans(processes: int) -> list[Span]:
    """Return ranges of records that several processes can compare at the same time."""
    last = TravelRecord.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    return split_range(last, processes)


def verify_records(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield a fault for each record that differs from its last event.

    Then for each that lost its key, or is indexed under other parties, without a purge of ours.
    """
    names = (*LINK_COLUMNS, *list_state_columns())
    for piece in read_columns(TravelRecord.objects.all(), "pk", span, names, AT_ONCE):
        # Whole ledgers are read here, so that batches are compared as plain values. Only the rows
        # of a batch with a difference are loaded as objects, to say which and why.
        if not _is_piece_intact(piece):
            ids = [row[0] for row in piece]
            records = TravelRecord.objects.select_related("key", "originator", "beneficiary")
            travel_records = list(records.filter(pk__in=ids).order_by("pk"))
            yield from find_record_faults(travel_records).values()
            yield from _find_lost_links(travel_records)
        progress(len(piece))


def _is_piece_intact(piece: Sequence[tuple[Any, ...]]) -> bool:
    """Tell whether all records of a piece are as their events have them; two queries."""
    shape = envelope_encoder(TravelEvent, TravelEvent.PURGEABLE)
    # the join to the record leaves out events in this range whose record is missing, which
    # find_missing_records reports
    rows = TravelEvent.objects.filter(record_id__gte=piece[0][0], record_id__lte=piece[-1][0])
    first_and_last_events = rows.filter(Q(number=1) | Q(number__gte=F("record__steps")))
    steps: dict[tuple[int, int], tuple[Any, ...]] = {}
    counts = {row[0]: max(row[2], 1) for row in piece}
    for row in first_and_last_events.order_by().values_list(*EVENT_COLUMNS, *shape.own):
        if row[:2] in steps or row[1] > counts[row[0]]:  # a row that was set back has more steps
            return False
        steps[row[:2]] = row
    return all(_is_record_intact(row, steps) for row in piece)


def _has_valid_mac(step: tuple[Any, ...]) -> bool:
    return has_valid_mac(
        step[2 : len(EVENT_COLUMNS)], step[len(EVENT_COLUMNS) :], macs.ledger_keys()
    )


def _is_record_intact(row: tuple[Any, ...], steps: dict[tuple[int, int], tuple[Any, ...]]) -> bool:
    """Tell whether a record has its first and last event, its key and the parties it names."""
    number, _, count, key, *sides = row[: len(LINK_COLUMNS)]
    first, last = steps.get((number, 1)), steps.get((number, count))
    if not (first and last and key and first[2] and _has_valid_mac(last)):
        return False
    document = json.loads(first[2])
    final = document if last is first else json.loads(last[2])
    stands = digest_state(row[len(LINK_COLUMNS) :])
    return final["stands"] == stands and document["parties"] == [side or "" for side in sides]


def find_record_faults(records: Sequence[TravelRecord]) -> dict[int, str]:
    """Return what differs between records and their last events, by number; one query."""
    events = TravelEvent.objects.filter(record__in=[record.pk for record in records])
    last_events = load_last_events(events, of="record")
    return {
        record.pk: why
        for record in records
        if (why := _describe_record_fault(record, last_events.get(record.pk)))
    }


def _describe_record_fault(record: TravelRecord, event: TravelEvent | None) -> str:
    if event is None:
        return f"travel-rule record {record.pk} has no authentic event for its last step"
    if (event.number, event.status) != (record.steps, record.status):
        return f"travel-rule record {record.pk} has a newer event: {event.pk}"
    if is_changed_since(event, record.stands):
        return f"travel-rule record {record.pk} differs from event {event.pk}"
    return ""


def _find_lost_links(records: Sequence[TravelRecord]) -> Iterator[str]:
    first = TravelEvent.objects.filter(record__in=[record.pk for record in records], number=1)
    data_by_record = {event.record_id: event.data for event in first if not event.purged}
    for record in records:
        recorded = data_by_record.get(record.pk)
        if recorded is None:
            continue
        if not hasattr(record, "key"):
            yield f"travel-rule record {record.pk} has no key"
        tokens = [side.token if side else "" for side in (record.originator, record.beneficiary)]
        if tokens != recorded["parties"]:
            yield f"travel-rule record {record.pk} is indexed under other parties than it names"
