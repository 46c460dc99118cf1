"""Read the logs of a chain, range by range, and move the cursor behind what was written."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.payments.chain.assets import Chain
from apps.payments.chain.clients import log_pagination
from apps.payments.chain.clients.log_pagination import OrderLogs
from apps.payments.chain.clients.node_parser import Block, ChainReader, Log
from apps.payments.chain.clients.nodes import NodesDisagree
from apps.payments.chain.models import Cursor, Order
from apps.payments.chain.rules.confirmation_depth import ChainHeads
from apps.payments.chain.services import match_transfers
from apps.platform.upstreams.http import AnswerTooLarge, NotCalled, UpstreamError

logger = logging.getLogger(__name__)
# blocks of one range; halved for nodes that refuse so many
WIDEST_RANGE = 2_000
# blocks that are read again each time: an order may be younger than its block
OVERLAP = 20
# how far a chain's clock may be behind ours: a reference settles its order whatever the block says
CLOCK_TOLERANCE = timedelta(minutes=2)
# ranges of one scan: what is left is read by the next, so that a scan stays within its lease
RANGES_PER_SCAN = 60


class ChainReorganized(UpstreamError):
    """The chain was reorganized while it was read: it is read again."""


@dataclass(frozen=True, slots=True)
class ChainScan:
    """One scan of a chain, for its orders."""

    chain: Chain
    reader: ChainReader
    heads: ChainHeads
    orders: Sequence[Order]
    now: datetime


def scan_blocks(look: ChainScan) -> bool:
    """Read from the cursor to the newest block; True if blocks are left for another scan.

    Raises UpstreamError if a range could not be read: the cursor then is before it.
    """
    if not look.orders:
        return False
    cursor = Cursor.objects.filter(chain=look.chain.caip2).first()
    span = cursor.span if cursor else WIDEST_RANGE
    first, pieces = _first_block_to_read(look, cursor), 0
    while first <= look.heads.latest and pieces < RANGES_PER_SCAN:
        last = min(look.heads.latest, first + span - 1)
        # before its logs: if the block is another afterwards, the logs may be those of a lost chain
        end = look.reader.block(last)
        try:
            answered = _fetch_logs(look, first, last)
        except UpstreamError as error:
            span = _halve_range(look, error, last - first + 1)
            continue
        _match_logs(look, answered.logs)
        match_transfers.report_omitted_transfers(first, answered.untold, now=look.now)
        _advance_cursor(look, end, span)
        # a node that refused once may do better: the range grows again
        span, first, pieces = min(WIDEST_RANGE, span * 2), last + 1, pieces + 1
    return first <= look.heads.latest


def _halve_range(look: ChainScan, error: UpstreamError, asked: int) -> int:
    """Return half of a refused range; if that fails, so does this scan."""
    half = max(1, asked // 2)
    # a smaller range helps neither; a single block is split in clients/log_pagination.py
    if isinstance(error, NodesDisagree | NotCalled) or asked == 1:
        raise error
    if not error.permanent:
        # too slow, or cut off: the next scan asks for less
        Cursor.objects.filter(chain=look.chain.caip2).update(span=half)
        raise error
    return half


def _first_block_to_read(look: ChainScan, cursor: Cursor | None) -> int:
    """Return where to start: the cursor, or the first order if the cursor is not valid."""
    if cursor is not None and cursor.block <= look.heads.latest:
        # the chain may have been reorganized below the cursor since
        stands = look.reader.block(cursor.block)
        if stands is not None and stands.hash == cursor.block_hash:
            near = max(0, cursor.block + 1 - OVERLAP)
            behind = look.heads.latest - near
            # far behind, as after days without orders: nothing before the first order concerns
            # anybody
            return near if behind <= WIDEST_RANGE else max(near, _first_block_of_orders(look))
        logger.info("%s is another chain than was read: it is read again", look.chain.caip2)
    return _first_block_of_orders(look)


def _first_block_of_orders(look: ChainScan) -> int:
    """Return the first block that is no older than the first order, by bisection."""
    # the blocks' own times decide: their number per second is not the same on each chain
    at = min(order.opened_at for order in look.orders) - CLOCK_TOLERANCE
    low, high = 0, look.heads.latest
    while low < high:
        middle = (low + high) // 2
        block = look.reader.block(middle)
        if block is None or block.time < at:
            low = middle + 1
        else:
            high = middle
    return low


def _fetch_logs(look: ChainScan, first: int, last: int) -> OrderLogs:
    """Return what concerns orders in a range: transfers to recipients, and references used."""
    assets = sorted(asset.lower() for asset in look.chain.assets.values())
    answered = log_pagination.fetch_order_logs(
        reader=look.reader, first=first, last=last, assets=assets, orders=look.orders
    )
    # a node that ignores a filter must not feed us other contracts' events
    if any(not first <= log.block <= last or log.address not in assets for log in answered.logs):
        raise UpstreamError("a node returned logs that were not requested")
    return answered


def _match_logs(look: ChainScan, found_logs: Collection[Log]) -> None:
    logs = sorted(found_logs, key=lambda log: (log.block, log.index))
    # logs are only where to look: what counts is the receipt, which all nodes must agree on
    for tx_hash in dict.fromkeys(log.tx_hash for log in logs):
        try:
            receipt = look.reader.receipt(tx_hash)
        except AnswerTooLarge:  # such a transaction must not stop the reading of others
            mine = [log for log in logs if log.tx_hash == tx_hash]
            match_transfers.report_unreadable_transaction(
                tx_hash, mine, orders=look.orders, now=look.now
            )
            continue
        block = look.reader.block(receipt.block) if receipt else None
        if receipt is None or block is None or block.hash != receipt.block_hash:
            raise ChainReorganized("the chain changed while it was read")
        match_transfers.match_transfers_to_orders(
            chain=look.chain, receipt=receipt, block=block, orders=look.orders, now=look.now
        )


def _advance_cursor(look: ChainScan, end: Block | None, span: int) -> None:
    """Move the cursor to the end of a range, if its block is still the same as before reading."""
    # only behind what was read from one and the same chain
    if end is None or look.reader.block(end.number) != end:
        raise ChainReorganized("the chain changed while it was read")
    values: dict[str, Any] = {
        "block": end.number,
        "block_hash": end.hash,
        "block_time": end.time,
        "latest": look.heads.latest,
        "looked_at": look.now,
        "span": min(WIDEST_RANGE, span * 2),
    }
    # an old trouble is over once the whole chain was read
    if end.number == look.heads.latest:
        values |= {"trouble": "", "troubled_at": None}
    Cursor.objects.update_or_create(chain=look.chain.caip2, defaults=values)
