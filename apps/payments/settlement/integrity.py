"""Holds settlements as they stand against the ledger of what happened to them.

Whoever can write the database can rewrite a settlement's row, but not record that. Were such a row
carried on, the next event would bear it out: so it is neither moved, executed nor told.
"""

import logging
from collections.abc import Callable, Iterator, Sequence

from django.db.models import Exists, OuterRef

from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.models.settlements import reference_key
from apps.platform.core.problems import Unavailable
from apps.platform.core.verification.state_row_checks import (
    AT_ONCE,
    find_row_faults,
    is_changed_since,
    load_last_events,
)

INTEGRITY_FAILED = "The settlement is not as it was recorded: ask the operator."
logger = logging.getLogger(__name__)


class SettlementIntegrityError(Unavailable):
    """The settlement is not as it was recorded: somebody altered it."""

    code, title = "settlement_unproved", "The settlement cannot be relied on"


def verify_settlement(row: Settlement) -> Settlement:
    """Return a settlement as it stands now, which is as its last event has it; one query.

    SettlementIntegrityError (503) where it is not. A rehearsal has no events: it moves nothing.
    """
    if row.sandbox and not SettlementEvent.objects.filter(settlement=row).exists():
        return row
    event = _load_last_events([row]).get(row.pk)
    if why := _describe_fault(row.pk, event):
        logger.error("%s", why)
        raise SettlementIntegrityError(INTEGRITY_FAILED)
    assert event is not None  # else that is the fault
    return event.settlement


def load_settlement_by_reference(*, owner: str, reference: str) -> Settlement | None:
    """Return the settlement that bears a reference, None where none was ever asked for under it.

    SettlementIntegrityError (503) where one was recorded and no row bears it: it was removed, or
    its owner or reference altered. It would settle twice.
    """
    rows = Settlement.objects.filter(owner=owner, reference=reference)
    if (row := rows.first()) is not None:
        return row
    key = reference_key(owner, reference)
    if not SettlementEvent.objects.filter(reference_key=key).exists():
        return None
    row = rows.first()  # another call may have made it since
    if row is None:
        logger.error("a settlement of %s was recorded, and no row bears its reference", owner)
        raise SettlementIntegrityError(INTEGRITY_FAILED)
    return row


def verify_settlements(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each settlement that is not as its last event has it."""
    yield from find_row_faults(
        Settlement.objects.all(),
        lambda piece: iter(find_settlement_faults(piece).values()),
        progress,
    )
    there = Settlement.objects.filter(pk=OuterRef("settlement_id"))
    gone = SettlementEvent.objects.filter(~Exists(there), number=1).order_by("pk")
    for number in gone.values_list("settlement_id", flat=True).iterator(AT_ONCE):
        yield f"settlement {number} has events, and no row"


def find_settlement_faults(rows: Sequence[Settlement]) -> dict[int, str]:
    """Return what differs between settlements and their last events, by number; one query."""
    last = _load_last_events(rows)
    real = [one for one in rows if not one.sandbox or one.pk in last]
    return {one.pk: why for one in real if (why := _describe_fault(one.pk, last.get(one.pk)))}


def _load_last_events(rows: Sequence[Settlement]) -> dict[int, SettlementEvent]:
    """Return the last event of each, with its row as it stood in that very moment."""
    events = SettlementEvent.objects.filter(settlement__in=[one.pk for one in rows])
    return load_last_events(events, of="settlement", whole=True)


def _describe_fault(number: int, event: SettlementEvent | None) -> str:
    if event is None:
        return f"settlement {number} has no event of ours for its last step"
    row = event.settlement
    if (event.number, event.state) != (row.steps, row.state):
        return f"settlement {row.pk} went on: its last event is {event.pk}"
    if is_changed_since(event, row.stands):
        return f"settlement {row.pk} is not as event {event.pk} has it"
    return ""
