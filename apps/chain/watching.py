"""Reads chains for orders: a job for each chain, block range by block range, from a cursor.

The cursor moves only behind what was read and written whole. Each look begins a little before it,
and from the first order that waits where the chain is another than was read. A job that is cut off
is made again; what it does twice it does once.
"""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import models, transaction

from apps.chain import finding, holding, ranges
from apps.chain.assets import CHAINS, Chain
from apps.chain.models import Cursor, Order
from apps.chain.moving import WATCH, Moved, move
from apps.chain.nodes import nodes_of
from apps.chain.projection import sound
from apps.chain.reading import Reader
from apps.chain.rules.depth import Heads
from apps.chain.rules.turns import HELD, LOOKING
from apps.core import jobs
from apps.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
AFTER_TROUBLE = timedelta(seconds=20)
LATE_FOR = timedelta(days=7)  # for so long a transfer that comes too late is told
DEEP_ENOUGH = 12  # blocks past the deadline, before nothing is expected any more
SLOWEST = timedelta(minutes=1)
LONGEST_TROUBLE = 300


def watch(key: str, now: datetime) -> None:
    """Look at one chain; the handler of `chain.watch`, whose key is its CAIP-2 name.

    Raises jobs.Again while anything is expected there.
    """
    chain = CHAINS.get(key)
    nodes = nodes_of(chain) if chain else None
    if chain is None or nodes is None or not watched(chain).exists():
        return
    try:
        nodes.insist()
        more = look(chain=chain, reader=nodes, now=now)
    except UpstreamError as error:
        _troubled(chain, error, now)
        raise jobs.Again(now + AFTER_TROUBLE) from None
    rest = timedelta() if more else _rest(chain)
    if rest is not None:
        raise jobs.Again(now + rest)


def sweep(key: str, now: datetime) -> None:
    """Plan a look at each chain on which something is expected."""
    for name in Order.objects.filter(ended_at=None).values_list("chain", flat=True).distinct():
        jobs.enqueue(job=WATCH, key=name, now=now)


def watched(chain: Chain) -> "models.QuerySet[Order]":
    """Return the orders of a chain to which something may still happen."""
    return Order.objects.filter(chain=chain.caip2, ended_at=None).select_related("transfer")


def look(*, chain: Chain, reader: Reader, now: datetime) -> bool:
    """Read a chain once, and write what it says of orders; True where blocks are left unread.

    UpstreamError where it does not come to its end; what was written until then counts.
    """
    heads = reader.heads()
    orders = _orders(chain)
    holding.hold(
        reader=reader, heads=heads, orders=[one for one in orders if one.state in HELD], now=now
    )
    _named(chain, reader, heads, now)
    more = ranges.read(ranges.Look(chain, reader, heads, _orders(chain), now))
    held = [one for one in _orders(chain) if one.state == "CONFIRMING"]
    holding.hold(reader=reader, heads=heads, orders=held, now=now)
    if not more:
        _run_out(chain, now)
    return more


def _orders(chain: Chain) -> list[Order]:
    return sound(list(watched(chain).order_by("pk")))


def _named(chain: Chain, reader: Reader, heads: Heads, now: datetime) -> None:
    """Look at the transactions that orders name."""
    orders = _orders(chain)
    names = {one.named: None for one in orders if one.named and one.state in LOOKING}
    for tx_hash in names:
        receipt = reader.receipt(tx_hash)
        block = reader.block(receipt.block) if receipt and receipt.block <= heads.latest else None
        if receipt is None or block is None or block.hash != receipt.block_hash:
            continue
        finding.consider(chain=chain, receipt=receipt, block=block, orders=orders, now=now)


def _run_out(chain: Chain, now: datetime) -> None:
    """End orders whose deadline the chain itself has passed, and those that were late for long."""
    cursor = Cursor.objects.filter(chain=chain.caip2).first()
    if cursor is None:
        return
    past = cursor.block_time - timedelta(seconds=chain.seconds * DEEP_ENOUGH)
    over = watched(chain).filter(state__in=("OPEN", "SEEN"), deadline__lt=past)
    for order in sound(list(over.order_by("pk"))):
        _end(order, "RAN_OUT", now, why=order.why or "No transfer came in time.")
    told = watched(chain).filter(state="EXPIRED", deadline__lt=past - LATE_FOR)
    for order in sound(list(told.order_by("pk"))):
        _end(order, "ENDED", now, ended_at=now)


def _end(order: Order, event: str, now: datetime, **changes: Any) -> None:
    try:
        with transaction.atomic():
            move(order, event, now=now, **changes)
    except Moved:
        logger.info("order %s was moved meanwhile", order.order_id)


def _rest(chain: Chain) -> timedelta | None:
    """Return when to look again: soon while a transfer is awaited, and rarely for late ones."""
    states = set(watched(chain).values_list("state", flat=True).distinct())
    if not states:
        return None
    waits = states - {"EXPIRED", "FINAL"}
    return timedelta(seconds=max(5, chain.seconds)) if waits else SLOWEST


def _troubled(chain: Chain, error: UpstreamError, now: datetime) -> None:
    logger.warning("%s was not read: %s", chain.caip2, error)
    held = Cursor.objects.filter(chain=chain.caip2)
    held.update(trouble=str(error)[:LONGEST_TROUBLE])
    held.filter(troubled_at=None).update(troubled_at=now)
