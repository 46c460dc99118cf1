"""Holds settlements as they stand against the ledger of what happened to them.

Whoever can write the database can rewrite a settlement's row, but not record that. Were such a row
carried on, the next event would bear it out: so it is neither moved, executed nor told.
"""

import logging
from collections.abc import Callable, Iterator, Sequence

from django.db.models import F

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.core.problems import Unavailable
from apps.settlement.models import Settlement, SettlementEvent

AT_ONCE = 500
logger = logging.getLogger(__name__)


class SettlementUnproved(Unavailable):
    """The settlement is not as it was recorded: somebody altered it."""

    code, title = "settlement_unproved", "The settlement cannot be relied on"


def proved(row: Settlement) -> Settlement:
    """Return a settlement as it stands now, which is as its last event has it; one query.

    SettlementUnproved (503) where it is not. A rehearsal has no events: it moves nothing.
    """
    if row.sandbox and not SettlementEvent.objects.filter(settlement=row).exists():
        return row
    event = _last([row]).get(row.pk)
    if why := _fault(row.pk, event):
        logger.error("%s", why)
        raise SettlementUnproved("The settlement is not as it was recorded: ask the operator.")
    assert event is not None  # else that is the fault
    return event.settlement


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each settlement that is not as its last event has it."""
    held = Settlement.objects.order_by("pk").iterator(AT_ONCE)
    for piece in chunks(held, AT_ONCE):
        yield from faults(piece).values()
        progress(len(piece))


def faults(rows: Sequence[Settlement]) -> dict[int, str]:
    """Return what differs between settlements and their last events, by number; one query."""
    last = _last(rows)
    real = [one for one in rows if not one.sandbox or one.pk in last]
    return {one.pk: why for one in real if (why := _fault(one.pk, last.get(one.pk)))}


def _last(rows: Sequence[Settlement]) -> dict[int, SettlementEvent]:
    """Return the last event of each, with its row as it stood in that very moment."""
    events = SettlementEvent.objects.filter(
        settlement__in=[one.pk for one in rows], number__gte=F("settlement__steps")
    )
    found = proven(events.select_related("settlement").order_by("number"))
    return {one.settlement_id: one for one in found}


def _fault(number: int, event: SettlementEvent | None) -> str:
    if event is None:
        return f"settlement {number} has no event of ours for its last step"
    row = event.settlement
    if (event.number, event.state) != (row.steps, row.state):
        return f"settlement {row.pk} went on: its last event is {event.pk}"
    if not event.purged and event.data["stands"] != row.stands:
        return f"settlement {row.pk} is not as event {event.pk} has it"
    return ""
