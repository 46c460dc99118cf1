"""Moves a settlement: one compare-and-set and one sealed event, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.models.settlements import reference_key
from apps.payments.settlement.rules import lifecycle
from apps.payments.settlement.rules.lifecycle import CheckResults, Transition
from apps.platform.db.fast_queries import update_where

NO_CHECKS = CheckResults()
FINAL_STATES = frozenset({"SETTLED", "BLOCKED", "EXPIRED"})


class ConcurrentUpdate(RuntimeError):
    """Somebody else moved the settlement meanwhile: what was found out here does not count."""


def record_transition(
    row: Settlement,
    event: str,
    *,
    now: datetime,
    checks: CheckResults = NO_CHECKS,
    facts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Transition:
    """Take a settlement through one row of the table; call it in the transaction of its grounds.

    `changes` are columns that it brings along, `facts` what its event keeps besides. Raises
    ConcurrentUpdate where the settlement is not as it was read, NoSuchTransition where the table
    has no such row.
    """
    taken, before = lifecycle.find_transition(row.state, event, checks), row.steps
    changes |= transition_times(taken, now) | {"state": taken.next, "steps": before + 1}
    for name, value in changes.items():
        setattr(row, name, value)
    if update_where(Settlement, where={"pk": row.pk, "steps": before}, change=changes) != 1:
        raise ConcurrentUpdate(f"settlement {row.settlement_id} was moved meanwhile")
    write_transition_event(row, taken, now=now, facts=facts)
    return taken


def transition_times(taken: Transition, now: datetime) -> dict[str, Any]:
    """Return the moments that a turn sets."""
    settled = now if taken.next == "SETTLED" else None
    return {"settled_at": settled, "ended_at": now if taken.next in FINAL_STATES else None}


def write_transition_event(
    row: Settlement, taken: Transition, *, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Append the event of a turn, with how the settlement stands after it; none of a rehearsal."""
    if row.sandbox:
        return
    said = {"stands": row.stands, "rules": lifecycle.VERSION}
    first = row.steps == 1 and row.reference
    SettlementEvent.write(
        payload=said | dict(facts or {}),
        now=now,
        settlement_id=row.pk,
        number=row.steps,
        event=taken.event,
        state=taken.next,
        turn=taken.code,
        reference_key=reference_key(row.owner, row.reference or "") if first else None,
    )
