"""Makes a record and moves it on: one compare-and-set, one sealed event, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.rules import VERSION, lifecycle
from apps.payments.travelrule.rules.lifecycle import Transition


class ConcurrentUpdate(RuntimeError):
    """Somebody else moved the record meanwhile: what was found out here does not count."""


def record_transition(
    record: TravelRecord,
    event: str,
    *,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
    columns: Mapping[str, Any] | None = None,
) -> Transition:
    """Take a record through one row of the table, in the transaction of what it rests on.

    `facts` are what its event keeps besides, `columns` of the record that change with it. Raises
    ConcurrentUpdate where the record is not as it was read, UnknownTransition where the table has
    no such row.
    """
    row = lifecycle.find_transition(record.status, event)
    before, changes = record.steps, dict(columns or {})
    record.status, record.steps = row.next, before + 1
    for name, value in changes.items():
        setattr(record, name, value)
    travel_records = TravelRecord.objects.filter(pk=record.pk, steps=before)
    if travel_records.update(status=row.next, steps=before + 1, **changes) != 1:
        raise ConcurrentUpdate(f"record {record.record_id} was moved meanwhile")
    payload, kept = build_event(record, row, facts=facts)
    TravelEvent.write(payload=payload, now=now, **kept)
    return row


def build_event(
    record: TravelRecord, row: Transition, *, facts: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return payload and columns of the event of a turn, for a record as it stands after it."""
    columns = {
        "record_id": record.pk,
        "number": record.steps,
        "event": row.event,
        "status": row.next,
        "turn": row.code,
    }
    return {"stands": record.stands, "rules": VERSION} | dict(facts or {}), columns
