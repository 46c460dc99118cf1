"""Holds orders as they stand against the ledger of what happened to them.

Whoever can write the database can rewrite an order's row, but not record that. Were such a row
carried on, the next event would bear it out: so it is neither moved nor told as settled.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef

from apps.payments.chain.assets import CHAINS
from apps.payments.chain.models import ChainEvent, Order
from apps.platform.core.batches import iter_chunks
from apps.platform.core.problems import Unavailable
from apps.platform.core.verification.state_row_checks import (
    AT_ONCE,
    find_row_faults,
    is_changed_since,
    load_last_events,
)

INTEGRITY_FAILED = "The expected transfer is not as it was recorded: ask the operator."
logger = logging.getLogger(__name__)


class OrderIntegrityError(Unavailable):
    """The order is not as it was recorded: somebody altered it."""

    code, title = "order_unproved", "The order cannot be relied on"


def verify_order(order: Order) -> Order:
    """Return an order as it stands now, which is as its last event has it; one query.

    OrderIntegrityError (503) where it is not.
    """
    event = _load_last_events([order]).get(order.pk)
    if why := _describe_fault(order.pk, event):
        logger.error("%s", why)
        raise OrderIntegrityError(INTEGRITY_FAILED)
    assert event is not None  # else that is the fault
    return event.order


def select_verified_orders(orders: Sequence[Order]) -> list[Order]:
    """Return those that are as their last events have them, in their order; a query for 500."""
    found = []
    for piece in iter_chunks(orders, AT_ONCE):
        last = _load_last_events(piece)
        for one in piece:
            event = last.get(one.pk)
            if why := _describe_fault(one.pk, event):
                logger.error("%s", why)
            elif event is not None:
                found.append(event.order)
    return found


def find_order_faults(orders: Sequence[Order]) -> dict[int, str]:
    """Return in words what is wrong with orders that are not as recorded, by number; one query."""
    last = _load_last_events(orders)
    found = {one.pk: _describe_fault(one.pk, last.get(one.pk)) for one in orders}
    return {number: why for number, why in found.items() if why}


def is_order_removed(order_id: UUID) -> bool:
    """Tell whether an order was made that has no row any more; asked where a row is missed."""
    return ChainEvent.objects.filter(made=order_id).exists()


def verify_orders(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each order that is not as its last event has it, or is gone."""
    yield from find_row_faults(
        Order.objects.all(), lambda piece: iter(find_order_faults(piece).values()), progress
    )
    there = Order.objects.filter(pk=OuterRef("order_id"))
    alone = ChainEvent.objects.filter(~Exists(there)).order_by("order_id")
    for number in alone.values_list("order_id", flat=True).distinct().iterator(AT_ONCE):
        yield f"order {number} is recorded, and is gone"


def _load_last_events(orders: Sequence[Order]) -> dict[int, ChainEvent]:
    """Return the last event of each order, with its row as it stood in that very moment."""
    events = ChainEvent.objects.filter(order__in=[one.pk for one in orders])
    return load_last_events(events.select_related("order__transfer"), of="order")


def _describe_fault(number: int, event: ChainEvent | None) -> str:
    if event is None:
        return f"order {number} has no event of ours for its last step"
    order = event.order
    if (event.number, event.state) != (order.steps, order.state):
        return f"order {number} went on: its last event is {event.pk}"
    if is_changed_since(event, order.stands):
        return f"order {number} is not as event {event.pk} has it"
    return (
        ""
        if _has_recorded_token(order)
        else f"order {number} names another chain or token than its own"
    )


def _has_recorded_token(order: Order) -> bool:
    """Tell whether number and symbol are those of the chain and the address that are recorded."""
    chain = CHAINS.get(order.chain)
    if chain is None:
        return True  # no release of ours watches it any more
    address = chain.assets.get(order.asset, "")
    return (order.chain_id, order.asset_address.lower()) == (chain.chain_id, address.lower())
