"""Verify records against their events, and decrypt their messages."""

import json
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from apps.payments.travelrule import encryption
from apps.payments.travelrule.models import RecordKey, RecordRow, TravelEvent, TravelRecord
from apps.payments.travelrule.selectors.event_rows import (
    EventRow,
    KeyRow,
    load_event_rows,
)
from apps.platform.common.problems import Unavailable
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.ledger.verification.verified_reads import filter_verified_records

logger = logging.getLogger(__name__)
Event = TravelEvent | EventRow
Record = TravelRecord | RecordRow
# the only number in a message; it may have more digits than orjson keeps exactly
SEQUENCE_KEY = b'"sequence":'


class RecordKeyMissing(DecryptionFailed):
    """A record lost its key, and no purge of ours took it."""


class RecordIntegrityError(Unavailable):
    """Integrity check failed for the record: it is not served until the operator has checked it."""

    code, title = "record_unproved", "Record integrity check failed"


def load_list_events(records: Sequence[Record]) -> Mapping[int, Sequence[Event]]:
    """Return the verified events of records for lists; one query.

    If one fails verification, or was purged, all are read again and verified one by one.
    """
    event_rows = load_event_rows([record.pk for record in records])
    return load_verified_events(records) if event_rows is None else event_rows


def load_verified_events(records: Sequence[Record]) -> dict[int, list[TravelEvent]]:
    """Return the authentic events of records by the record's number, in order; one query."""
    rows = TravelEvent.objects.filter(record__in=[record.pk for record in records])
    grouped_travel_events: dict[int, list[TravelEvent]] = defaultdict(list)
    for event in filter_verified_records(rows.order_by("record_id", "number")):
        grouped_travel_events[event.record_id].append(event)
    return grouped_travel_events


def is_record_verified(record: Record, events: Sequence[Event]) -> bool:
    """Tell whether a record has all its events, and its state is that of the last one."""
    if [event.number for event in events] != list(range(1, record.steps + 1)):
        return False
    if not events or events[-1].status != record.status:
        return False
    last = events[-1]
    # a purged event has no digest of the row any more: its number and status are all that counts
    return last.purged or record.stands_as(last.data["stands"])


def decrypt_message(
    record: TravelRecord, first: Event, key: RecordKey | KeyRow | None
) -> dict[str, Any] | None:
    """Return the message of a record; None once it was purged.

    DecryptionFailed for a key that we lack; RecordKeyMissing if its own is gone without a purge.
    """
    text = decrypt_record_text(record, first, key)
    return text and text["message"]


def decrypt_record_text(
    record: Record, first: Event, key: RecordKey | KeyRow | None
) -> dict[str, Any] | None:
    """Return the `message` of a record with its `salt`; None once it was purged.

    `reference` is the institution's reference of the payment, `named` that of a message's sender,
    each if there is one. Raises as `decrypt_message`.
    """
    if first.purged:
        return None
    if key is None:
        raise RecordKeyMissing("Its key is gone, and no purge is recorded.")
    opener = encryption.unwrap_key(wrapped=key.wrapped, under=key.under, of=str(record.record_id))
    raw = encryption.decrypt_part(opener, first.data["message"], what="message")
    # orjson where it reads the same: exports decrypt millions of messages
    text: dict[str, Any] = (json if SEQUENCE_KEY in raw else orjson).loads(raw)
    if named := first.data.get("named"):
        text["named"] = encryption.decrypt_part(opener, named, what="named").decode()
    return text
