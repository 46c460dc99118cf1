"""Move a settlement: one compare-and-set and one sealed event, in one transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.models.settlements import reference_key
from apps.payments.settlement.rules import transitions
from apps.payments.settlement.rules.transitions import CheckResults, Transition
from apps.platform.ledger.recorded_transitions import build_transition_event, compare_and_set

NO_CHECKS = CheckResults()
FINAL_STATES = frozenset({"SETTLED", "BLOCKED", "EXPIRED"})


def record_transition(
    row: Settlement,
    event: str,
    *,
    now: datetime,
    checks: CheckResults = NO_CHECKS,
    facts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Transition:
    """Move a settlement by one row of the table; call it in the transaction of its cause.

    `changes` are further column values, `facts` further data for its event. Raises ConcurrentUpdate
    if the settlement is not as it was read, NoSuchTransition if the table has no such row; the
    settlement object is then as it was read.
    """
    taken = transitions.find_transition(row.state, event, checks)
    changes |= transition_times(taken, now) | {"state": taken.next}
    with compare_and_set(row, changes):
        write_transition_event(row, taken, now=now, facts=facts)
    return taken


def transition_times(taken: Transition, now: datetime) -> dict[str, Any]:
    """Return the times that a transition sets."""
    settled = now if taken.next == "SETTLED" else None
    return {"settled_at": settled, "ended_at": now if taken.next in FINAL_STATES else None}


def write_transition_event(
    row: Settlement, taken: Transition, *, now: datetime, facts: Mapping[str, Any] | None = None
) -> None:
    """Append a transition's event, with the state after it; none for a rehearsal."""
    if row.sandbox:
        return
    # only the first event has it: its unique constraint lets a reference settle once
    first = row.steps == 1 and row.reference
    payload, columns = build_transition_event(
        row,
        event=taken.event,
        turn=taken.code,
        rules=transitions.VERSION,
        facts=facts,
        settlement_id=row.pk,
        state=taken.next,
        reference_key=reference_key(row.owner, row.reference or "") if first else None,
    )
    SettlementEvent.write(payload=payload, now=now, **columns)
