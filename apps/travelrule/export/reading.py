"""The records of an export, batch by batch: told, or withheld with the reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from apps.core.batches import chunks
from apps.travelrule.models import RecordKey, RecordRow, TravelRecord
from apps.travelrule.sealing import Unreadable
from apps.travelrule.steps import Key, keys_of
from apps.travelrule.telling import (
    Event,
    Record,
    events_of,
    is_proved,
    opened_text,
    shown_of,
    told_with,
)

BATCH = 500
ALTERED = "it is not as it was recorded"
KEYLESS = "its key is gone, and no purge is recorded"
UNREADABLE = "its message cannot be read by the keys that are held"


@dataclass(slots=True)
class Line:
    """A record of an export with its events. `why` says why it is withheld; it then has no more.

    `text` is what `opened_text` gave: its message and the salt of it, none once it was purged.
    """

    record: Record
    events: Sequence[Any]
    text: dict[str, Any] | None = None
    why: str = ""

    @property
    def told(self) -> dict[str, Any]:
        """The record as RecordOut has it."""
        return told_with(self.record, self.events, self.text)

    @property
    def salt(self) -> str:
        """The salt of its message."""
        return self.text["salt"] if self.text else ""


def read(rows: QuerySet[TravelRecord]) -> Iterator[list[Line]]:
    """Yield records in batches, in their order; two queries for each batch."""
    for batch in chunks(rows.iterator(BATCH), BATCH):
        events = events_of(batch)
        found = RecordKey.objects.filter(record__in=[one.pk for one in batch])
        keys = {one.record_id: one for one in found}
        yield [line_of(one, events[one.pk], keys.get(one.pk)) for one in batch]


def shown(rows: QuerySet[TravelRecord]) -> Iterator[list[Line]]:
    """Yield what `read` does for tables, which do not hand on the proof: by rows as they stand."""
    for batch in chunks(
        map(RecordRow._make, rows.values_list(*RecordRow._fields).iterator(BATCH)), BATCH
    ):
        events, keys = shown_of(batch), keys_of([one.pk for one in batch])
        yield [line_of(one, events.get(one.pk, ()), keys.get(one.pk)) for one in batch]


def line_of(record: Record, events: Sequence[Event], key: RecordKey | Key | None) -> Line:
    """Return one record as an export has it."""
    if not is_proved(record, events):
        return Line(record, (), why=ALTERED)
    if key is None and not events[0].purged:
        return Line(record, (), why=KEYLESS)
    try:
        text = opened_text(record, events[0], key)
    except Unreadable:
        return Line(record, (), why=UNREADABLE)
    return Line(record, events, text)
