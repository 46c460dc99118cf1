"""Makes a record and moves it on: one compare-and-set, one sealed event, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.rules import VERSION, lifecycle
from apps.payments.travelrule.rules.lifecycle import Transition
from apps.platform.ledger.recorded_transitions import build_transition_event, compare_and_set


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
    ConcurrentUpdate where the record is not as it was read, NoSuchTransition where the table has
    no such row; the record is then as it was read.
    """
    row = lifecycle.find_transition(record.status, event)
    with compare_and_set(record, {**(columns or {}), "status": row.next}):
        payload, event_columns = build_event(record, row, facts=facts)
        TravelEvent.write(payload=payload, now=now, **event_columns)
    return row


def build_event(
    record: TravelRecord, row: Transition, *, facts: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return payload and columns of the event of a turn, for a record as it stands after it."""
    return build_transition_event(
        record,
        event=row.event,
        turn=row.code,
        rules=VERSION,
        facts=facts,
        record_id=record.pk,
        status=row.next,
    )
