"""Create and move rows: one compare-and-set, one sealed event, in the caller's transaction."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError

from apps.payments.banking.integrity import INTEGRITY_DETAIL, BankRowIntegrityError
from apps.payments.banking.models import BankEvent, Kept
from apps.payments.banking.rules import VERSION
from apps.payments.banking.rules.transitions import Transition, find_transition
from apps.platform.crypto import macs
from apps.platform.ledger.recorded_transitions import build_transition_event, compare_and_set

logger = logging.getLogger(__name__)


def record_new_row(
    row: Kept, event: str, *, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Insert a new row with its first event; IntegrityError if it exists already.

    Raises BankRowIntegrityError (503) if it has events but is missing: it was deleted, and the
    actions that its events record must not be repeated.
    """
    first = find_transition(row.THING, "", event)
    row.state, row.steps = first.next, 1
    # never an update: a row that exists must raise IntegrityError
    row.save(force_insert=True)
    # outlives the row: the unique `once` of its first event refuses a second beginning
    once = macs.keyed_digest(what=f"bank {row.THING}", of=row.once)
    try:
        _write_event(row, first, now, facts, once=once)
    except IntegrityError:
        logger.error("%s existed earlier, but its row is missing", row.subject)
        raise BankRowIntegrityError(INTEGRITY_DETAIL) from None


def record_transition(
    row: Kept,
    event: str,
    *,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Transition:
    """Move a row by one line of the table; `changes` are further column values.

    Raises ConcurrentUpdate if the row is not as it was read, NoSuchTransition if the table has no
    such line; the row object is then as it was read.
    """
    line = find_transition(row.THING, row.state, event)
    # row and event in one transaction: a row never has a state that its ledger lacks
    with compare_and_set(row, {**changes, "state": line.next}):
        _write_event(row, line, now, facts)
    return line


def _write_event(
    row: Kept, line: Transition, now: datetime, facts: Mapping[str, Any] | None, **columns: Any
) -> None:
    payload, event_columns = build_transition_event(
        row,
        event=line.event,
        turn=line.code,
        rules=VERSION,
        facts=facts,
        subject=row.subject,
        state=line.next,
        **columns,
    )
    BankEvent.write(payload=payload, now=now, **event_columns)
