"""Reads chains for orders: a job for each chain, block range by block range, from a cursor.

The cursor moves only behind what was read and written whole. Each look begins a little before it,
and from the first order that waits where the chain is another than was read. A job that is cut off
is made again; what it does twice it does once.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import models, transaction

from apps.chain import cases, finding, holding, ranges
from apps.chain.assets import CHAINS, Chain
from apps.chain.models import Cursor, Order
from apps.chain.moving import WATCH, Moved, move
from apps.chain.nodes import Disagree, nodes_of
from apps.chain.projection import sound
from apps.chain.reading import Malformed, Reader
from apps.chain.rules.depth import Heads
from apps.chain.rules.turns import HELD, LOOKING
from apps.core import jobs
from apps.upstreams.http import TooMuch, UpstreamError

logger = logging.getLogger(__name__)
AFTER_TROUBLE = timedelta(seconds=20)
LATE_FOR = timedelta(days=7)  # for so long a transfer that comes too late is told
DEEP_ENOUGH = 12  # blocks past the deadline, before nothing is expected any more
SLOWEST = timedelta(minutes=1)
LONGEST_TROUBLE = 300
DIFFER_FOR = timedelta(minutes=5)  # nodes that follow a chain differ for moments where it turns


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
        _troubled(chain, str(error), now)
        if isinstance(error, Disagree):
            _differ(chain, str(error), now)
        raise jobs.Again(now + AFTER_TROUBLE) from None
    except Exception as error:
        _troubled(chain, f"{type(error).__name__}: see the log", now)
        raise
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
    # proved once: what is moved here is moved in this list too, and what others move meanwhile is
    # not moved by it
    orders = sound(list(watched(chain).order_by("pk")))
    held = [one for one in orders if one.state in HELD]
    holding.hold(reader=reader, heads=heads, orders=held, now=now)
    _named(chain, reader, heads, orders, now)
    more = ranges.read(ranges.Look(chain, reader, heads, orders, now))
    held = [one for one in orders if one.state == "CONFIRMING"]
    holding.hold(reader=reader, heads=heads, orders=held, now=now)
    if not more:
        _run_out(chain, orders, now)
    return more


def _named(
    chain: Chain, reader: Reader, heads: Heads, orders: Sequence[Order], now: datetime
) -> None:
    """Look at the transactions that orders name; one that cannot be read stops no other."""
    names = {one.named: None for one in orders if one.named and one.state in LOOKING}
    for tx_hash in names:
        try:
            receipt = reader.receipt(tx_hash)
        except TooMuch:
            finding.unread(tx_hash, (), orders=orders, now=now)
            continue
        except Malformed as error:
            logger.warning("%s: transaction %s was not read: %s", chain.caip2, tx_hash, error)
            continue
        block = reader.block(receipt.block) if receipt and receipt.block <= heads.latest else None
        if receipt is None or block is None or block.hash != receipt.block_hash:
            continue
        finding.consider(chain=chain, receipt=receipt, block=block, orders=orders, now=now)


def _run_out(chain: Chain, orders: Sequence[Order], now: datetime) -> None:
    """End orders whose deadline the chain itself has passed, and those that were late for long."""
    cursor = Cursor.objects.filter(chain=chain.caip2).first()
    if cursor is None:
        return
    past = cursor.block_time - timedelta(seconds=chain.seconds * DEEP_ENOUGH)
    for order in orders:
        if order.state in ("OPEN", "SEEN") and order.deadline < past:
            _end(order, "RAN_OUT", now, why=order.why or "No transfer came in time.")
        if order.state == "EXPIRED" and order.deadline < past - LATE_FOR:
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


def _troubled(chain: Chain, said: str, now: datetime) -> None:
    """Note why a chain was not read, and since when; one that never was, since it is awaited."""
    logger.warning("%s was not read: %s", chain.caip2, said)
    held = Cursor.objects.filter(chain=chain.caip2)
    if not held.exists():
        since = watched(chain).aggregate(at=models.Min("opened_at"))["at"] or now
        begun = {"block": 0, "block_hash": "", "block_time": since, "looked_at": since}
        Cursor.objects.get_or_create(chain=chain.caip2, defaults=begun | {"troubled_at": since})
    held.update(trouble=said[:LONGEST_TROUBLE])
    held.filter(troubled_at=None).update(troubled_at=now)


def _differ(chain: Chain, said: str, now: datetime) -> None:
    """Have an officer look at nodes that contradict each other for long; once for all that time."""
    since = Cursor.objects.values_list("troubled_at", flat=True).get(chain=chain.caip2) or now
    if now - since >= DIFFER_FOR:
        cases.nodes_differ(chain, said=said, since=since, now=now)
