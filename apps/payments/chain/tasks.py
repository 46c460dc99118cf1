"""Read chains for orders: a job for each chain, block range by block range, from a cursor.

The cursor moves only behind ranges that were read and written completely. Each scan begins a little
before it, and from the first waiting order if the chain was reorganized. An interrupted job is
repeated; repeated work has no further effect.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import models, transaction

from apps.payments.chain import cases
from apps.payments.chain.assets import CHAINS, Chain
from apps.payments.chain.clients.node_parser import ChainReader, MalformedAnswer
from apps.payments.chain.clients.nodes import NodesDisagree, connect_nodes
from apps.payments.chain.integrity import select_verified_orders
from apps.payments.chain.models import Cursor, Order
from apps.payments.chain.record_transition import WATCH, record_transition
from apps.payments.chain.rules.transitions import AWAITING_TRANSFER, HAVING_TRANSFER
from apps.payments.chain.services import block_scan, match_transfers, transfer_finality
from apps.platform.jobs import job_queue
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate
from apps.platform.upstreams.http import AnswerTooLarge, UpstreamError

logger = logging.getLogger(__name__)
AFTER_TROUBLE = timedelta(seconds=20)
# how long late transfers are still reported
LATE_FOR = timedelta(days=7)
# blocks past the deadline before a transfer is expected no more: as deep as the smallest payment
# must be (rules/confirmation_depth.py)
DEEP_ENOUGH = 12
SLOWEST = timedelta(minutes=1)
LONGEST_TROUBLE = 300
# nodes that follow a chain differ for moments at its head
DIFFER_FOR = timedelta(minutes=5)


def watch_chain(key: str, now: datetime) -> None:
    """Scan one chain; the handler of `chain.watch`, whose key is its CAIP-2 name.

    Raises RetryLater while anything is expected there.
    """
    chain = CHAINS.get(key)
    nodes = connect_nodes(chain) if chain else None
    if chain is None or nodes is None or not watched_orders(chain).exists():
        return
    try:
        # at each scan: a provider may move an address to another network
        nodes.insist()
        more = scan_chain(chain=chain, reader=nodes, now=now)
    except UpstreamError as error:
        _note_trouble(chain, str(error), now)
        if isinstance(error, NodesDisagree):
            # have an officer review nodes that contradict each other for long; once for all that
            # time
            trouble = str(error)
            since = (
                Cursor.objects.values_list("troubled_at", flat=True).get(chain=chain.caip2) or now
            )
            if now - since >= DIFFER_FOR:
                cases.open_node_conflict_case(chain, said=trouble, since=since, now=now)
        raise job_queue.RetryLater(now + AFTER_TROUBLE) from None
    # the text of an unknown error may hold an address with a token: only its kind is shown
    except Exception as error:
        _note_trouble(chain, f"{type(error).__name__}: see the log", now)
        raise
    rest = timedelta() if more else _time_until_next_scan(chain)
    if rest is not None:
        raise job_queue.RetryLater(now + rest)


def enqueue_chain_watches(key: str, now: datetime) -> None:
    """Plan a scan of each chain on which something is expected."""
    for name in Order.objects.filter(ended_at=None).values_list("chain", flat=True).distinct():
        job_queue.enqueue_job(job=WATCH, key=name, now=now)


def watched_orders(chain: Chain) -> "models.QuerySet[Order]":
    """Return the orders of a chain that may still change."""
    return Order.objects.filter(chain=chain.caip2, ended_at=None).select_related("transfer")


def scan_chain(*, chain: Chain, reader: ChainReader, now: datetime) -> bool:
    """Read a chain once, and apply it to orders; True if blocks are left unread.

    Raises UpstreamError if it does not finish; what was written until then counts.
    """
    heads = reader.heads()
    # verified once: moves made here update this list too, and rows that others move meanwhile are
    # not moved by it
    orders = select_verified_orders(list(watched_orders(chain).order_by("pk")))
    settling = [order for order in orders if order.state in HAVING_TRANSFER]
    # first: a transfer that was taken back makes its order wait again, and may be found below
    transfer_finality.check_transfer_finality(reader=reader, heads=heads, orders=settling, now=now)
    # a named transaction that cannot be read does not stop the others
    names = {
        order.named: None for order in orders if order.named and order.state in AWAITING_TRANSFER
    }
    for tx_hash in names:
        try:
            receipt = reader.receipt(tx_hash)
        except AnswerTooLarge:
            match_transfers.report_unreadable_transaction(tx_hash, (), orders=orders, now=now)
            continue
        except MalformedAnswer as error:
            logger.warning("%s: transaction %s was not read: %s", chain.caip2, tx_hash, error)
            continue
        block = reader.block(receipt.block) if receipt and receipt.block <= heads.latest else None
        if receipt is None or block is None or block.hash != receipt.block_hash:
            continue
        match_transfers.match_transfers_to_orders(
            chain=chain, receipt=receipt, block=block, orders=orders, now=now
        )
    more = block_scan.scan_blocks(block_scan.ChainScan(chain, reader, heads, orders, now))
    # those found just now: an old transfer may be deep enough at once
    settling = [order for order in orders if order.state == "CONFIRMING"]
    transfer_finality.check_transfer_finality(reader=reader, heads=heads, orders=settling, now=now)
    if not more:
        _expire_orders(chain, orders, now)
    return more


def _expire_orders(chain: Chain, orders: Sequence[Order], now: datetime) -> None:
    """End orders whose deadline has passed on the chain itself, and those late for long."""
    cursor = Cursor.objects.filter(chain=chain.caip2).first()
    if cursor is None:
        return
    # by the chain's clock: a transfer in time may be in a block that was not read yet
    past = cursor.block_time - timedelta(seconds=chain.seconds * DEEP_ENOUGH)
    for order in orders:
        if order.state in ("OPEN", "SEEN") and order.deadline < past:
            # what an officer or a mismatch said of it explains more than the deadline
            _end_order(order, "RAN_OUT", now, why=order.why or "No transfer arrived in time.")
        if order.state == "EXPIRED" and order.deadline < past - LATE_FOR:
            _end_order(order, "ENDED", now, ended_at=now)


def _end_order(order: Order, event: str, now: datetime, **changes: Any) -> None:
    try:
        with transaction.atomic():
            record_transition(order, event, now=now, **changes)
    except ConcurrentUpdate:
        logger.info("order %s was changed concurrently", order.order_id)


def _time_until_next_scan(chain: Chain) -> timedelta | None:
    """Return when to scan again: soon while a transfer is awaited, and rarely for late ones."""
    states = set(watched_orders(chain).values_list("state", flat=True).distinct())
    if not states:
        return None
    waits = states - {"EXPIRED", "FINAL"}
    return timedelta(seconds=max(5, chain.seconds)) if waits else SLOWEST


def _note_trouble(chain: Chain, trouble: str, now: datetime) -> None:
    """Note why a chain was not read, and since when; if it never was, since it is awaited."""
    logger.warning("%s was not read: %s", chain.caip2, trouble)
    cursors = Cursor.objects.filter(chain=chain.caip2)
    # a chain that was never read has no cursor to keep the trouble in
    if not cursors.exists():
        since = watched_orders(chain).aggregate(at=models.Min("opened_at"))["at"] or now
        begun = {"block": 0, "block_hash": "", "block_time": since, "looked_at": since}
        Cursor.objects.get_or_create(chain=chain.caip2, defaults=begun | {"troubled_at": since})
    cursors.update(trouble=trouble[:LONGEST_TROUBLE])
    cursors.filter(troubled_at=None).update(troubled_at=now)
