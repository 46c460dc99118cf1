"""Reads the logs of a chain, range by range, and moves the cursor behind what was written."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from apps.chain import crowded, finding
from apps.chain.assets import Chain
from apps.chain.crowded import Answered
from apps.chain.models import Cursor, Order
from apps.chain.nodes import Disagree
from apps.chain.reading import Block, Log, Reader
from apps.chain.rules.depth import Heads
from apps.upstreams.http import NotCalled, TooMuch, UpstreamError

logger = logging.getLogger(__name__)
WIDEST = 2_000  # blocks of one range; nodes that refuse so many are asked for half
OVERLAP = 20  # blocks that are read again each time: an order may be younger than its block
# how far a chain's clock may be behind ours: a reference settles its order whatever the block says
CLOCKS = timedelta(minutes=2)
PIECES = 60  # ranges of one look


class Changed(UpstreamError):
    """The chain became another one while it was read: it is read again."""


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a chain, for its orders."""

    chain: Chain
    reader: Reader
    heads: Heads
    orders: Sequence[Order]
    now: datetime


def read(look: Look) -> bool:
    """Read from the cursor to the newest block; True where blocks are left for another look.

    UpstreamError where a range could not be read: the cursor then stands before it.
    """
    if not look.orders:
        return False
    cursor = Cursor.objects.filter(chain=look.chain.caip2).first()
    span = cursor.span if cursor else WIDEST
    first, pieces = _first(look, cursor), 0
    while first <= look.heads.latest and pieces < PIECES:
        last = min(look.heads.latest, first + span - 1)
        end = look.reader.block(last)
        try:
            answered = _logs(look, first, last)
        except UpstreamError as error:
            span = _narrower(look, error, last - first + 1)
            continue
        _written(look, answered.logs)
        finding.left_out(first, answered.untold, now=look.now)
        _advance(look, end, span)
        span, first, pieces = min(WIDEST, span * 2), last + 1, pieces + 1
    return first <= look.heads.latest


def _narrower(look: Look, error: UpstreamError, asked: int) -> int:
    """Return half of what was asked where that was refused; what failed fails this look."""
    half = max(1, asked // 2)
    if isinstance(error, Disagree | NotCalled) or asked == 1:
        raise error
    if not error.permanent:
        # too slow, or cut off: the next look asks for less
        Cursor.objects.filter(chain=look.chain.caip2).update(span=half)
        raise error
    return half


def _first(look: Look, cursor: Cursor | None) -> int:
    """Return from where to read: the cursor, or the first order where it does not hold."""
    if cursor is not None and cursor.block <= look.heads.latest:
        stands = look.reader.block(cursor.block)
        if stands is not None and stands.hash == cursor.block_hash:
            near = max(0, cursor.block + 1 - OVERLAP)
            behind = look.heads.latest - near
            return near if behind <= WIDEST else max(near, _since(look))
        logger.info("%s is another chain than was read: it is read again", look.chain.caip2)
    return _since(look)


def _since(look: Look) -> int:
    """Return the first block that is no older than the first order, by halving."""
    at = min(one.opened_at for one in look.orders) - CLOCKS
    low, high = 0, look.heads.latest
    while low < high:
        middle = (low + high) // 2
        found = look.reader.block(middle)
        if found is None or found.time < at:
            low = middle + 1
        else:
            high = middle
    return low


def _logs(look: Look, first: int, last: int) -> Answered:
    """Return what concerns orders in a range: transfers to recipients, and references used."""
    assets = sorted(one.lower() for one in look.chain.assets.values())
    answered = crowded.ask(
        reader=look.reader, first=first, last=last, assets=assets, orders=look.orders
    )
    if any(not first <= one.block <= last or one.address not in assets for one in answered.logs):
        raise UpstreamError("a node answered logs that nobody asked for")
    return answered


def _written(look: Look, found: Collection[Log]) -> None:
    logs = sorted(found, key=lambda one: (one.block, one.index))
    for tx_hash in dict.fromkeys(one.tx_hash for one in logs):
        try:
            receipt = look.reader.receipt(tx_hash)
        except TooMuch:  # whoever makes such a transaction stops the reading of no other
            mine = [one for one in logs if one.tx_hash == tx_hash]
            finding.unread(tx_hash, mine, orders=look.orders, now=look.now)
            continue
        block = look.reader.block(receipt.block) if receipt else None
        if receipt is None or block is None or block.hash != receipt.block_hash:
            raise Changed("the chain changed while it was read")
        finding.consider(
            chain=look.chain, receipt=receipt, block=block, orders=look.orders, now=look.now
        )


def _advance(look: Look, end: Block | None, span: int) -> None:
    """Move the cursor to the end of a range, which is still what it was before it was read."""
    if end is None or look.reader.block(end.number) != end:
        raise Changed("the chain changed while it was read")
    values: dict[str, Any] = {
        "block": end.number,
        "block_hash": end.hash,
        "block_time": end.time,
        "latest": look.heads.latest,
        "looked_at": look.now,
        "span": min(WIDEST, span * 2),
    }
    if end.number == look.heads.latest:
        values |= {"trouble": "", "troubled_at": None}
    Cursor.objects.update_or_create(chain=look.chain.caip2, defaults=values)
