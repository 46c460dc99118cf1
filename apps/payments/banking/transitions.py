"""Makes and moves rows: one compare-and-set, one sealed event, in the caller's transaction."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError

from apps.payments.banking.integrity import BankRowIntegrityError
from apps.payments.banking.models import BankEvent, Kept
from apps.payments.banking.rules import VERSION
from apps.payments.banking.rules.lifecycle import Transition, find_transition
from apps.platform.crypto import macs

logger = logging.getLogger(__name__)


class ConcurrentUpdate(RuntimeError):
    """Somebody else moved the row meanwhile: what was found out here does not count."""


def record_new_row(
    row: Kept, event: str, *, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Insert a new row with its first event; IntegrityError where it stands already.

    BankRowIntegrityError (503) where it has events and is gone: somebody deleted it, and what it
    says was done may not be done again.
    """
    first = find_transition(row.THING, "", event)
    row.state, row.steps = first.next, 1
    row.save(force_insert=True)
    once = macs.keyed_digest(what=f"bank {row.THING}", of=row.once)
    try:
        _write_event(row, first, now, facts, once=once)
    except IntegrityError:
        logger.error("%s was there before, and is gone", row.subject)
        raise BankRowIntegrityError(
            "Integrity check failed for this record. Contact the operator."
        ) from None


def record_transition(
    row: Kept,
    event: str,
    *,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Transition:
    """Take a row through one line of the table; `changes` are columns that it brings along.

    Raises ConcurrentUpdate where the row is not as it was read, UnknownTransition where the table
    has no such line.
    """
    line = find_transition(row.THING, row.state, event)
    before = row.steps
    for name, value in changes.items():
        setattr(row, name, value)
    row.state, row.steps = line.next, before + 1
    held = type(row)._default_manager.filter(pk=row.pk, steps=before)
    if held.update(state=row.state, steps=row.steps, **changes) != 1:
        raise ConcurrentUpdate(f"{row.subject} was moved meanwhile")
    _write_event(row, line, now, facts)
    return line


def _write_event(
    row: Kept, line: Transition, now: datetime, facts: Mapping[str, Any] | None, **columns: Any
) -> None:
    BankEvent.write(
        payload={"stands": row.stands, "rules": VERSION} | dict(facts or {}),
        now=now,
        subject=row.subject,
        number=row.steps,
        event=line.event,
        state=line.next,
        turn=line.code,
        **columns,
    )
