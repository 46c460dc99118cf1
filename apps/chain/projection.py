"""Holds orders as they stand against the ledger of what happened to them.

Whoever can write the database can rewrite an order's row, but not record that. Were such a row
carried on, the next event would bear it out: so it is neither moved nor told as settled.
"""

import logging
from collections.abc import Callable, Iterator, Sequence

from django.db.models import F

from apps.chain.models import ChainEvent, Order
from apps.core.batches import chunks
from apps.core.chain import proven
from apps.core.problems import Unavailable

AT_ONCE = 500
UNPROVED = "The expected transfer is not as it was recorded: ask the operator."
logger = logging.getLogger(__name__)


class OrderUnproved(Unavailable):
    """The order is not as it was recorded: somebody altered it."""

    code, title = "order_unproved", "The order cannot be relied on"


def proved(order: Order) -> Order:
    """Return an order as it stands now, which is as its last event has it; one query.

    OrderUnproved (503) where it is not.
    """
    event = _last([order]).get(order.pk)
    if why := _fault(order.pk, event):
        logger.error("%s", why)
        raise OrderUnproved(UNPROVED)
    assert event is not None  # else that is the fault
    return event.order


def sound(orders: Sequence[Order]) -> list[Order]:
    """Return those that are as their last events have them, in their order; a query for 500."""
    found = []
    for piece in chunks(orders, AT_ONCE):
        last = _last(piece)
        for one in piece:
            event = last.get(one.pk)
            if why := _fault(one.pk, event):
                logger.error("%s", why)
            elif event is not None:
                found.append(event.order)
    return found


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each order that is not as its last event has it."""
    rows = Order.objects.select_related("transfer").order_by("pk")
    for piece in chunks(rows.iterator(AT_ONCE), AT_ONCE):
        last = _last(piece)
        yield from (why for one in piece if (why := _fault(one.pk, last.get(one.pk))))
        progress(len(piece))


def _last(orders: Sequence[Order]) -> dict[int, ChainEvent]:
    """Return the last event of each order, with its row as it stood in that very moment."""
    events = ChainEvent.objects.filter(
        order__in=[one.pk for one in orders], number__gte=F("order__steps")
    )
    rows = events.select_related("order__transfer").order_by("number")
    return {one.order_id: one for one in proven(rows)}


def _fault(number: int, event: ChainEvent | None) -> str:
    if event is None:
        return f"order {number} has no event of ours for its last step"
    order = event.order
    if (event.number, event.state) != (order.steps, order.state):
        return f"order {number} went on: its last event is {event.pk}"
    if not event.purged and event.data["stands"] != order.stands:
        return f"order {number} is not as event {event.pk} has it"
    return ""
