"""The records of an export, in batches: included, or withheld with the reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from apps.payments.travelrule.models import RecordKey, RecordRow, TravelRecord
from apps.payments.travelrule.selectors.event_rows import KeyRow, load_key_rows
from apps.payments.travelrule.selectors.serialized_records import serialize_opened_record
from apps.payments.travelrule.selectors.verified_records import (
    Event,
    Record,
    decrypt_record_text,
    is_record_verified,
    load_list_events,
    load_verified_events,
)
from apps.platform.common.batches import iter_chunks
from apps.platform.crypto.encryption import DecryptionFailed

BATCH = 500  # records in memory at the same time
ALTERED_REASON = "its integrity check failed"
KEYLESS_REASON = "its key is missing and no purge is recorded"
UNREADABLE_REASON = "its message cannot be decrypted with the keys available"


@dataclass(slots=True)
class ExportLine:
    """A record of an export with its events; of a withheld one only the reason, `why`.

    `text` is the result of `decrypt_record_text`: message and salt, None once they were purged.
    """

    record: Record
    events: Sequence[Any]
    text: dict[str, Any] | None = None
    why: str = ""

    @property
    def serialized(self) -> dict[str, Any]:
        """The record as RecordOut has it."""
        return serialize_opened_record(self.record, self.events, self.text)

    @property
    def salt(self) -> str:
        """The salt of its message."""
        return self.text["salt"] if self.text else ""


def read_lines(rows: QuerySet[TravelRecord]) -> Iterator[list[ExportLine]]:
    """Yield records in batches, in their order; two queries for each batch."""
    for batch in iter_chunks(rows.iterator(BATCH), BATCH):
        events = load_verified_events(batch)
        record_keys = RecordKey.objects.filter(record__in=[record.pk for record in batch])
        keys = {record_key.record_id: record_key for record_key in record_keys}
        yield [build_line(record, events[record.pk], keys.get(record.pk)) for record in batch]


def read_table_lines(rows: QuerySet[TravelRecord]) -> Iterator[list[ExportLine]]:
    """Yield the same for tables, which contain no proofs: as plain rows."""
    # model instances would take ten times as long
    for batch in iter_chunks(
        map(RecordRow._make, rows.values_list(*RecordRow._fields).iterator(BATCH)), BATCH
    ):
        events, keys = (
            load_list_events(batch),
            load_key_rows([record_row.pk for record_row in batch]),
        )
        yield [
            build_line(record_row, events.get(record_row.pk, ()), keys.get(record_row.pk))
            for record_row in batch
        ]


def build_line(
    record: Record, events: Sequence[Event], key: RecordKey | KeyRow | None
) -> ExportLine:
    """Return one record as an export has it."""
    if not is_record_verified(record, events):
        return ExportLine(record, (), why=ALTERED_REASON)
    if key is None and not events[0].purged:
        return ExportLine(record, (), why=KEYLESS_REASON)
    try:
        text = decrypt_record_text(record, events[0], key)
    except DecryptionFailed:
        return ExportLine(record, (), why=UNREADABLE_REASON)
    return ExportLine(record, events, text)
