"""Move a record: one compare-and-set and one sealed event, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.travelrule.models import TravelEvent, TravelRecord
from apps.payments.travelrule.rules import VERSION, transitions
from apps.payments.travelrule.rules.transitions import Transition
from apps.platform.ledger.recorded_transitions import build_transition_event, compare_and_set


def record_transition(
    record: TravelRecord,
    event: str,
    *,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
    columns: Mapping[str, Any] | None = None,
) -> Transition:
    """Apply one row of the table to a record, in the transaction of its cause.

    `facts` are further facts for the event, `columns` of the record that change with it. Raises
    ConcurrentUpdate if the record changed since it was read, NoSuchTransition if the table has no
    such row; the record is then as it was read.
    """
    row = transitions.find_transition(record.status, event)
    with compare_and_set(record, {**(columns or {}), "status": row.next}):
        payload, event_columns = build_event(record, row, facts=facts)
        TravelEvent.write(payload=payload, now=now, **event_columns)
    return row


def build_event(
    record: TravelRecord, row: Transition, *, facts: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return payload and columns of a transition's event, for the record's state after it."""
    return build_transition_event(
        record,
        event=row.event,
        turn=row.code,
        rules=VERSION,
        facts=facts,
        record_id=record.pk,
        status=row.next,
    )
