"""What a transaction is to the orders that wait: transfers are kept, and orders moved.

Each order is moved in a transaction of its own, which binds its transfer: the database holds that
a transfer is kept once and settles one order.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction

from apps.chain.assets import Chain, minor
from apps.chain.models import Order, Transfer
from apps.chain.models.orders import LONGEST_WHY
from apps.chain.moving import Moved as Overtaken
from apps.chain.moving import move
from apps.chain.reading import Block, Log, Moved, Receipt, transfers, word
from apps.chain.rules.matching import Came, Expected, Match, match
from apps.chain.rules.turns import HELD, LOOKING, MOST_STEPS

logger = logging.getLogger(__name__)
NOTHING: Mapping[str, Any] = MappingProxyType({})
REVERTED = "Transaction {tx} failed on the chain: it moved nothing."
MOVES_NOTHING = "Transaction {tx} does not fit: it pays the recipient nothing."
TOO_LARGE = "Transaction {tx} is too large to be read: whether it pays this is not known."
CROWDED = "A block has more of its transfers than are read: name the transaction that pays this."
TAKEN = "Transfer {tx} settles another order already."
ANOTHERS = "Transfer {tx} bears the reference of another order: it settles no other."


def consider(
    *, chain: Chain, receipt: Receipt, block: Block, orders: Sequence[Order], now: datetime
) -> None:
    """Work out what the transfers of a transaction are to orders, and write it.

    `block` is the transaction's, as the chain has it now, and `orders` are those of the chain that
    have not ended, each as it was recorded.
    """
    if not receipt.ok:
        said = REVERTED.format(tx=receipt.tx_hash)
        _unfit([one for one in orders if one.named == receipt.tx_hash], _unfitting("", said), now)
        return
    moved = _ours(transfers(receipt), orders)
    held = _held(chain, receipt)
    elsewhere = _bound_elsewhere(moved, orders)
    for one in moved:
        row = held.get(one.index)
        taken = _settles(row) if row is not None and not row.gone else 0
        if taken or one.reference in elsewhere:
            others = [other for other in orders if other.pk != taken]
            named = [other for other in others if other.named == one.tx_hash]
            _unfit(named, _taken(one, TAKEN if taken else ANOTHERS), now, {"txHash": one.tx_hash})
            continue
        expected = [_expected(order) for order in _concerned(one, orders)]
        found = match(_came(one, block), expected, skew=timedelta(seconds=chain.seconds))
        _write(chain, one, block, found, orders, now)
    if not moved:
        nothing = _unfitting("MATCH-11", MOVES_NOTHING.format(tx=receipt.tx_hash))
        named = [one for one in orders if one.named == receipt.tx_hash]
        _unfit(named, nothing, now, {"txHash": receipt.tx_hash})


def unread(tx_hash: str, logs: Sequence[Log], *, orders: Sequence[Order], now: datetime) -> None:
    """Tell the orders that a transaction may concern that it is too large to be read.

    `logs` are those of it that name a recipient or a reference; an order may name it as well.
    """
    topics = {topic for log in logs for topic in log.topics[1:]}
    logger.error("transaction %s is too large to be read", tx_hash)
    concerned = [
        one
        for one in orders
        if one.named == tx_hash or one.reference in topics or word(one.recipient) in topics
    ]
    _unfit(
        concerned, _unfitting("MATCH-13", TOO_LARGE.format(tx=tx_hash)), now, {"txHash": tx_hash}
    )


def left_out(block: int, concerned: Sequence[Order], *, now: datetime) -> None:
    """Tell orders that transfers to their recipients in a block were left out: too many to read.

    Each is told once: whoever makes such blocks would use up the steps of an order by them.
    """
    for one in concerned:
        logger.error("block %s has more than is read for order %s", block, one.order_id)
    _unfit(concerned, _unfitting("MATCH-14", CROWDED), now, {"block": str(block)})


def _ours(moved: Iterable[Moved], orders: Sequence[Order]) -> list[Moved]:
    payees = {one.recipient.lower() for one in orders}
    references = {one.reference for one in orders}
    return [one for one in moved if one.payee in payees or one.reference in references]


def _bound_elsewhere(moved: Iterable[Moved], orders: Sequence[Order]) -> set[str]:
    """Return the references of transfers that are those of orders which have ended.

    A transfer under an order's reference is that order's for good: one that comes after its order
    ended, by a deadline long past or by a block taken back, never settles another that it fits.
    """
    unknown = {one.reference for one in moved if one.reference}
    unknown -= {one.reference for one in orders}
    if not unknown:
        return set()
    return set(Order.objects.filter(reference__in=unknown).values_list("reference", flat=True))


def _concerned(one: Moved, orders: Sequence[Order]) -> list[Order]:
    """Return the orders that a transfer may be anything to; of thousands as a rule one or two."""
    return [
        order
        for order in orders
        if order.recipient.lower() == one.payee
        or order.named == one.tx_hash
        or (one.reference and order.reference == one.reference)
    ]


def _held(chain: Chain, receipt: Receipt) -> dict[int, Transfer]:
    rows = Transfer.objects.filter(chain_id=chain.chain_id, tx_hash=receipt.tx_hash)
    return {one.log_index: one for one in rows.select_related("order")}


def _settles(row: Transfer) -> int:
    """Return the number of the order that a transfer settles, 0 where it settles none."""
    order = getattr(row, "order", None)
    return order.pk if order is not None and order.state in HELD else 0


def _expected(order: Order) -> Expected:
    return Expected(
        key=order.pk,
        owner=order.owner,
        asset=order.asset_address.lower(),
        recipient=order.recipient.lower(),
        sender=order.sender.lower(),
        units=minor(order.amount),
        reference=order.reference,
        named=order.named,
        opened_at=order.opened_at,
        deadline=order.deadline,
        looking=order.state in LOOKING,
        over=order.state == "EXPIRED",
    )


def _came(one: Moved, block: Block) -> Came:
    return Came(
        asset=one.asset,
        payer=one.payer,
        payee=one.payee,
        units=one.units,
        reference=one.reference,
        tx_hash=one.tx_hash,
        at=block.time,
    )


def _write(
    chain: Chain, one: Moved, block: Block, found: Match, orders: Sequence[Order], now: datetime
) -> None:
    touched = [order for order in orders if order.pk in found.keys]
    if found.outcome == "SETTLES":
        _settle(chain, one, block, found, touched[0], now)
        return
    if found.outcome == "NOBODY":
        return
    known = Transfer.objects.filter(
        chain_id=chain.chain_id, tx_hash=one.tx_hash, log_index=one.index, why=found.why
    ).exists()
    # the transfer and what is told of it stand together: who finds it known does not tell it again
    with transaction.atomic():
        facts = {"transfer": _keep(chain, one, block, found.why, now).in_full}
        if found.outcome == "UNFIT":
            _unfit([o for o in touched if not known or o.named == one.tx_hash], found, now, facts)
        for order in touched:
            if found.outcome == "UNCLEAR" and _is_news(order, one, found):
                _move(order, "UNCLEAR", found, now, facts)
            elif found.outcome == "LATE" and order.state == "EXPIRED" and not known:
                _move(order, "LATE", found, now, facts)


def _is_news(order: Order, one: Moved, found: Match) -> bool:
    """Tell whether an order that waits has not been told of a transfer, or asks for it anew."""
    waits = order.state in ("OPEN", "SEEN")
    return waits and (order.why != found.why or order.named == one.tx_hash)


def _settle(
    chain: Chain, one: Moved, block: Block, found: Match, order: Order, now: datetime
) -> None:
    """Bind a transfer to the one order that it settles, which then waits for its depth."""
    try:
        with transaction.atomic():
            row = _keep(chain, one, block, "", now)
            facts = {"match": found.ref, "transfer": row.in_full}
            move(order, "FOUND", now=now, facts=facts, transfer=row, why="", depth=0)
    except Overtaken:
        logger.info("order %s was moved meanwhile", order.order_id)
    except IntegrityError:
        # the row of that transfer belongs to another order: of two at once one is first
        _unfit([order], _taken(one, TAKEN), now, {"txHash": one.tx_hash})


def _keep(chain: Chain, one: Moved, block: Block, why: str, now: datetime) -> Transfer:
    """Write a transfer as the chain has it now, once for its place in its transaction."""
    values = {
        "block": one.block,
        "block_hash": one.block_hash,
        "block_time": block.time,
        "asset_address": one.asset,
        "payer": one.payer,
        "payee": one.payee,
        "units": str(one.units),
        "reference": one.reference,
        "gone": False,
        "why": why[:LONGEST_WHY],
    }
    row, _ = Transfer.objects.update_or_create(
        chain_id=chain.chain_id,
        tx_hash=one.tx_hash,
        log_index=one.index,
        defaults=values,
        create_defaults=values | {"seen_at": now},
    )
    return row


def _taken(one: Moved, said: str) -> Match:
    return _unfitting("MATCH-12", said.format(tx=one.tx_hash))


def _unfitting(ref: str, why: str) -> Match:
    """Return what a transaction is that settles nothing; without a row nothing was moved by it."""
    return Match(ref, "UNFIT", (), why)


def _unfit(
    orders: Iterable[Order], found: Match, now: datetime, more: Mapping[str, Any] = NOTHING
) -> None:
    for order in orders:
        if order.state in ("OPEN", "SEEN") and order.why != found.why and order.steps < MOST_STEPS:
            _move(order, "UNFIT", found, now, more)


def _move(
    order: Order, event: str, found: Match, now: datetime, more: Mapping[str, Any] = NOTHING
) -> None:
    facts = dict(more) | ({"match": found.ref} if found.ref else {})
    try:
        with transaction.atomic():
            move(order, event, now=now, facts=facts, why=found.why[:LONGEST_WHY])
    except Overtaken:
        logger.info("order %s was moved meanwhile", order.order_id)
