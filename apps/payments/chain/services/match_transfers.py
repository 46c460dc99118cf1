"""Match a transaction to the orders that wait: store its transfers, and move orders.

Each order is moved in a transaction of its own, which binds its transfer: the database ensures that
a transfer is stored once and settles one order.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction

from apps.payments.chain.assets import Chain, to_minor_units
from apps.payments.chain.clients.node_parser import (
    Block,
    Log,
    Receipt,
    TokenTransfer,
    address_to_topic,
    parse_transfers,
)
from apps.payments.chain.models import Order, Transfer
from apps.payments.chain.models.transfers import LONGEST_WHY
from apps.payments.chain.record_transition import record_transition
from apps.payments.chain.rules.transfer_match import (
    ExpectedOrder,
    ObservedTransfer,
    TransferMatch,
    match_transfer,
)
from apps.payments.chain.rules.transitions import AWAITING_TRANSFER, HAVING_TRANSFER, MOST_STEPS
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

logger = logging.getLogger(__name__)
NO_FACTS: Mapping[str, Any] = MappingProxyType({})
REVERTED = "Transaction {tx} failed on the chain: it moved nothing."
MOVES_NOTHING = "Transaction {tx} does not fit: it pays the recipient nothing."
TOO_LARGE = "Transaction {tx} is too large to read: whether it pays this order is unknown."
CROWDED = "A block has too many transfers to read them all: name the transaction that pays this."
TRANSFER_TAKEN = "Transfer {tx} already settles another order."
REFERENCE_OF_ANOTHER = "Transfer {tx} carries the reference of another order and settles only that."


def match_transfers_to_orders(
    *, chain: Chain, receipt: Receipt, block: Block, orders: Sequence[Order], now: datetime
) -> None:
    """Match the transfers of a transaction to orders, and write the result.

    `block` is the transaction's, as the chain has it now, and `orders` are the verified orders of
    the chain that have not ended.
    """
    # status 0 of EIP-658: whatever its logs would say, nothing moved
    if not receipt.ok:
        sentence = REVERTED.format(tx=receipt.tx_hash)
        _mark_unfit(
            [order for order in orders if order.named == receipt.tx_hash],
            _unfit_match("", sentence),
            now,
        )
        return
    payees = {order.recipient.lower() for order in orders}
    references = {order.reference for order in orders}
    moved = [
        token_transfer
        for token_transfer in parse_transfers(receipt)
        if token_transfer.payee in payees or token_transfer.reference in references
    ]
    rows = Transfer.objects.filter(
        chain_id=chain.chain_id,
        tx_hash=receipt.tx_hash,
        gone=False,
        order__state__in=HAVING_TRANSFER,
    )
    # read before matching: a repeated scan must not find the same transfer for a second order
    settling = list(rows.select_related("order").order_by("log_index"))
    elsewhere = _references_of_ended_orders(moved, orders)
    for token_transfer in moved:
        settled_order = _find_settled_order(token_transfer, settling)
        if settled_order or token_transfer.reference in elsewhere:
            # whoever else named this transaction learns that it is not theirs
            others = [other for other in orders if other.pk != settled_order]
            named = [other for other in others if other.named == token_transfer.tx_hash]
            _mark_unfit(
                named,
                _taken_transfer_match(
                    token_transfer, TRANSFER_TAKEN if settled_order else REFERENCE_OF_ANOTHER
                ),
                now,
                {"txHash": token_transfer.tx_hash},
            )
            continue
        expected = [
            _to_expected_order(order) for order in _candidate_orders(token_transfer, orders)
        ]
        transfer = match_transfer(
            _to_observed_transfer(token_transfer, block),
            expected,
            # a block's time is up to one block behind the order that it pays
            skew=timedelta(seconds=chain.seconds),
        )
        _apply_match(chain, token_transfer, block, transfer, orders, now)
    if not moved:
        nothing = _unfit_match("MATCH-11", MOVES_NOTHING.format(tx=receipt.tx_hash))
        named = [order for order in orders if order.named == receipt.tx_hash]
        _mark_unfit(named, nothing, now, {"txHash": receipt.tx_hash})


def report_unreadable_transaction(
    tx_hash: str, logs: Sequence[Log], *, orders: Sequence[Order], now: datetime
) -> None:
    """Report to the orders that a transaction may concern that it is too large to read.

    `logs` are its logs that name a recipient or a reference; an order may name it as well.
    """
    topics = {topic for log in logs for topic in log.topics[1:]}
    logger.error("transaction %s is too large to be read", tx_hash)
    concerned = [
        order
        for order in orders
        if order.named == tx_hash
        or order.reference in topics
        or address_to_topic(order.recipient) in topics
    ]
    _mark_unfit(
        concerned, _unfit_match("MATCH-13", TOO_LARGE.format(tx=tx_hash)), now, {"txHash": tx_hash}
    )


def report_omitted_transfers(block: int, concerned: Sequence[Order], *, now: datetime) -> None:
    """Report to orders that too many transfers to their recipients in a block were left out.

    Each order gets one such report: otherwise the sender of such blocks could use up an order's
    steps.
    """
    for order in concerned:
        logger.error("block %s has more than is read for order %s", block, order.order_id)
    _mark_unfit(concerned, _unfit_match("MATCH-14", CROWDED), now, {"block": str(block)})


def _references_of_ended_orders(
    moved: Iterable[TokenTransfer], orders: Sequence[Order]
) -> set[str]:
    """Return those references of transfers that belong to ended orders.

    A transfer under an order's reference belongs to that order for good: one that comes after its
    order ended, by a deadline long past or by a block taken back, never settles another that it
    fits.
    """
    unknown = {token_transfer.reference for token_transfer in moved if token_transfer.reference}
    unknown -= {order.reference for order in orders}
    if not unknown:
        return set()
    return set(Order.objects.filter(reference__in=unknown).values_list("reference", flat=True))


def _candidate_orders(token_transfer: TokenTransfer, orders: Sequence[Order]) -> list[Order]:
    """Return the orders that may match a transfer; of thousands usually one or two."""
    return [
        order
        for order in orders
        if order.recipient.lower() == token_transfer.payee
        or order.named == token_transfer.tx_hash
        or (token_transfer.reference and order.reference == token_transfer.reference)
    ]


def _find_settled_order(token_transfer: TokenTransfer, settling: Iterable[Transfer]) -> int:
    """Return the key of the order that a transfer settles already, 0 if it settles none.

    A transaction whose block was taken back may come again in another place of a new block before
    its settlement is known to be undone: the same transfer then has another log index.
    """
    for row in settling:
        columns = (row.asset_address, row.payer, row.payee, row.units, row.reference)
        same = columns == (
            token_transfer.asset,
            token_transfer.payer,
            token_transfer.payee,
            str(token_transfer.units),
            token_transfer.reference,
        )
        if row.log_index == token_transfer.index or (
            same and row.block_hash != token_transfer.block_hash
        ):
            return row.order.pk
    return 0


def _to_expected_order(order: Order) -> ExpectedOrder:
    return ExpectedOrder(
        key=order.pk,
        owner=order.owner,
        asset=order.asset_address.lower(),
        recipient=order.recipient.lower(),
        sender=order.sender.lower(),
        units=to_minor_units(order.amount),
        reference=order.reference,
        named=order.named,
        opened_at=order.opened_at,
        deadline=order.deadline,
        looking=order.state in AWAITING_TRANSFER,
        over=order.state == "EXPIRED",
    )


def _to_observed_transfer(token_transfer: TokenTransfer, block: Block) -> ObservedTransfer:
    return ObservedTransfer(
        asset=token_transfer.asset,
        payer=token_transfer.payer,
        payee=token_transfer.payee,
        units=token_transfer.units,
        reference=token_transfer.reference,
        tx_hash=token_transfer.tx_hash,
        at=block.time,
    )


def _apply_match(
    chain: Chain,
    token_transfer: TokenTransfer,
    block: Block,
    transfer_match: TransferMatch,
    orders: Sequence[Order],
    now: datetime,
) -> None:
    touched = [order for order in orders if order.pk in transfer_match.keys]
    if transfer_match.outcome == "SETTLES":
        _bind_transfer(chain, token_transfer, block, transfer_match, touched[0], now)
        return
    if transfer_match.outcome == "NOBODY":
        return
    # a repeated scan finds it stored with the same sentence: reported already
    known = Transfer.objects.filter(
        chain_id=chain.chain_id,
        tx_hash=token_transfer.tx_hash,
        log_index=token_transfer.index,
        why=transfer_match.why,
    ).exists()
    # one transaction: a transfer that is stored without its report would never be reported
    with transaction.atomic():
        facts = {
            "transfer": _save_transfer(
                chain, token_transfer, block, transfer_match.why, now
            ).in_full
        }
        if transfer_match.outcome == "UNFIT":
            _mark_unfit(
                # an order that names it asks anew, even where the transfer was reported before
                [o for o in touched if not known or o.named == token_transfer.tx_hash],
                transfer_match,
                now,
                facts,
            )
        for order in touched:
            if transfer_match.outcome == "UNCLEAR" and _is_news(
                order, token_transfer, transfer_match
            ):
                _record_match(order, "UNCLEAR", transfer_match, now, facts)
            elif transfer_match.outcome == "LATE" and order.state == "EXPIRED" and not known:
                _record_match(order, "LATE", transfer_match, now, facts)


def _is_news(order: Order, token_transfer: TokenTransfer, transfer_match: TransferMatch) -> bool:
    """Tell whether a waiting order has not had a report of a transfer, or asks for it again."""
    waits = order.state in ("OPEN", "SEEN")
    return waits and (order.why != transfer_match.why or order.named == token_transfer.tx_hash)


def _bind_transfer(
    chain: Chain,
    token_transfer: TokenTransfer,
    block: Block,
    transfer_match: TransferMatch,
    order: Order,
    now: datetime,
) -> None:
    """Bind a transfer to the one order that it settles, which then waits for its depth."""
    try:
        with transaction.atomic():
            row = _save_transfer(chain, token_transfer, block, "", now)
            facts = {"match": transfer_match.ref, "transfer": row.in_full}
            record_transition(order, "FOUND", now=now, facts=facts, transfer=row, why="", depth=0)
    except ConcurrentUpdate:
        logger.info("order %s was changed concurrently", order.order_id)
    except IntegrityError:
        # `transfer` is one-to-one: of two orders that take the same transfer at once one is first
        _mark_unfit(
            [order],
            _taken_transfer_match(token_transfer, TRANSFER_TAKEN),
            now,
            {"txHash": token_transfer.tx_hash},
        )


def _save_transfer(
    chain: Chain, token_transfer: TokenTransfer, block: Block, why: str, now: datetime
) -> Transfer:
    """Store a transfer as the chain has it now, once per place in its transaction."""
    values = {
        "block": token_transfer.block,
        "block_hash": token_transfer.block_hash,
        "block_time": block.time,
        "asset_address": token_transfer.asset,
        "payer": token_transfer.payer,
        "payee": token_transfer.payee,
        "units": str(token_transfer.units),
        "reference": token_transfer.reference,
        "gone": False,
        "why": why[:LONGEST_WHY],
    }
    row, _ = Transfer.objects.update_or_create(
        chain_id=chain.chain_id,
        tx_hash=token_transfer.tx_hash,
        log_index=token_transfer.index,
        defaults=values,
        create_defaults=values | {"seen_at": now},
    )
    return row


def _taken_transfer_match(token_transfer: TokenTransfer, sentence: str) -> TransferMatch:
    return _unfit_match("MATCH-12", sentence.format(tx=token_transfer.tx_hash))


def _unfit_match(ref: str, why: str) -> TransferMatch:
    """Return the match of a transaction that settles nothing; without a row it moved nothing."""
    return TransferMatch(ref, "UNFIT", (), why)


def _mark_unfit(
    orders: Iterable[Order],
    transfer_match: TransferMatch,
    now: datetime,
    more: Mapping[str, Any] = NO_FACTS,
) -> None:
    for order in orders:
        if (
            order.state in ("OPEN", "SEEN")
            # a repeated sentence makes no step, and strangers cannot use up the steps of an order
            and order.why != transfer_match.why
            and order.steps < MOST_STEPS
        ):
            _record_match(order, "UNFIT", transfer_match, now, more)


def _record_match(
    order: Order,
    event: str,
    transfer_match: TransferMatch,
    now: datetime,
    more: Mapping[str, Any] = NO_FACTS,
) -> None:
    facts = dict(more) | ({"match": transfer_match.ref} if transfer_match.ref else {})
    try:
        with transaction.atomic():
            record_transition(
                order, event, now=now, facts=facts, why=transfer_match.why[:LONGEST_WHY]
            )
    except ConcurrentUpdate:
        logger.info("order %s was changed concurrently", order.order_id)
