"""Moves an order: one compare-and-set, one sealed event, and what follows, in one transaction.

What follows is the case that an officer is to look at, and the word to whoever expects it.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.payments.chain import cases
from apps.payments.chain.models import ChainEvent, Order
from apps.payments.chain.rules import lifecycle
from apps.payments.chain.rules.lifecycle import Transition
from apps.platform.db.fast_queries import update_where
from apps.platform.jobs import job_queue

TELL, WATCH = "chain.tell", "chain.watch"


class ConcurrentUpdate(RuntimeError):
    """Somebody else moved the order meanwhile: what was found out here does not count."""


def record_transition(
    order: Order,
    event: str,
    *,
    now: datetime,
    facts: Mapping[str, Any] | None = None,
    **changes: Any,
) -> None:
    """Take an order through one row of the table; call it in a transaction.

    `changes` are columns that it brings along, `facts` what its event keeps besides. Raises
    ConcurrentUpdate where the order is not as it was read, NoSuchTransition where the table has no
    such row; the order is then as it was read.
    """
    row, read = lifecycle.find_transition(order.state, event), dict(vars(order))
    try:
        _write_transition(order, row, now, facts or {}, changes)
    except BaseException:
        vars(order).update(read)  # what did not happen is not what whoever holds the order goes by
        raise


def _write_transition(
    order: Order, row: Transition, now: datetime, facts: Mapping[str, Any], changes: dict[str, Any]
) -> None:
    before = order.steps
    if "transfer" in changes:
        order.transfer = changes.pop("transfer")
        changes["transfer_id"] = order.transfer.pk if order.transfer else None
    changes |= {"changed_at": now}
    for name, value in changes.items():
        setattr(order, name, value)
    order.state, order.steps = row.next, before + 1
    written = changes | {"state": row.next, "steps": before + 1}
    if update_where(Order, where={"pk": order.pk, "steps": before}, change=written) != 1:
        raise ConcurrentUpdate(f"order {order.order_id} was moved meanwhile")
    write_transition_event(order, event=row.event, code=row.code, now=now, facts=facts)
    cases.open_case_of_transition(order, turn=row.code, facts=facts, now=now)
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
    """Append the event of a turn, with how the order stands after it."""
    payload = {"stands": order.stands, "rules": lifecycle.VERSION} | dict(facts or {})
    ChainEvent.write(
        payload=payload,
        now=now,
        order_id=order.pk,
        number=order.steps,
        event=event,
        state=order.state,
        turn=code,
        made=order.order_id if order.steps == 1 else None,
    )
