"""Move an order: one compare-and-set, one sealed event, and its consequences, in one transaction.

The consequences are the case for an officer, and the notification of the expecting app.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.chain import cases
from apps.payments.chain.models import ChainEvent, Order
from apps.payments.chain.rules import transitions
from apps.platform.jobs import job_queue
from apps.platform.ledger.recorded_transitions import build_transition_event, compare_and_set

TELL, WATCH = "chain.tell", "chain.watch"


def record_transition(
    order: Order,
    event: str,
    *,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> None:
    """Move an order by one row of the table; call it in a transaction.

    `changes` are further column values, `facts` further data for its event. Raises ConcurrentUpdate
    if the order is not as it was read, NoSuchTransition if the table has no such row; the order
    object is then as it was read.
    """
    row = transitions.find_transition(order.state, event)
    if related := "transfer" in changes:
        transfer = changes.pop("transfer")
        # the statement writes columns; the object gets the related row below, for its digest
        changes["transfer_id"] = transfer.pk if transfer else None
    changes |= {"state": row.next, "changed_at": now}
    with compare_and_set(order, changes):
        if related:
            order.transfer = transfer
        write_transition_event(order, event=row.event, code=row.code, now=now, facts=facts)
        cases.open_case_of_transition(order, turn=row.code, facts=facts or {}, now=now)
        if row.tells:
            job_queue.enqueue_job(job=TELL, key=str(order.order_id), now=now)


def write_transition_event(
    order: Order,
    *,
    event: str,
    code: str,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Append the event of a transition, with the order's state after it."""
    payload, columns = build_transition_event(
        order,
        event=event,
        turn=code,
        rules=transitions.VERSION,
        facts=facts,
        order_id=order.pk,
        state=order.state,
        # unique in the ledger: an order whose row was deleted cannot be made again
        made=order.order_id if order.steps == 1 else None,
    )
    ChainEvent.write(payload=payload, now=now, **columns)
