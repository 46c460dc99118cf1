"""Check found transfers against the chain, until it will not take them back."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.payments.chain.clients.node_parser import Block, ChainReader, parse_transfers
from apps.payments.chain.models import Order, Transfer
from apps.payments.chain.record_transition import record_transition
from apps.payments.chain.rules import confirmation_depth
from apps.payments.chain.rules.confirmation_depth import ChainHeads
from apps.platform.db.compiled_queries import update_where
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

logger = logging.getLogger(__name__)
BLOCK_TAKEN_BACK = "The chain reverted the block of transaction {tx}: we are looking for it again."
FINAL_TAKEN_BACK = (
    "The chain reverted transaction {tx} after it had counted as final. It may come again and is "
    "under review: do not pay again yet."
)


def check_transfer_finality(
    *, reader: ChainReader, heads: ChainHeads, orders: Sequence[Order], now: datetime
) -> None:
    """Check orders that are CONFIRMING or FINAL against the chain, and move those that changed.

    One query for each block that has a transfer, and a receipt if one becomes final.
    """
    blocks: dict[int, Block | None] = {}
    for order in orders:
        transfer = order.transfer
        if transfer is None:
            continue
        if order.state == "FINAL" and transfer.block > heads.latest:
            # the node lags, or the chain is shorter: decided once it is as high again
            continue
        if transfer.block not in blocks:
            blocks[transfer.block] = (
                reader.block(transfer.block) if transfer.block <= heads.latest else None
            )
        block = blocks[transfer.block]
        if block is None or block.hash != transfer.block_hash:
            _take_back_transfer(order, transfer, now)
        else:
            _count_confirmations(reader, order, transfer, heads, now)


def _count_confirmations(
    reader: ChainReader, order: Order, transfer: Transfer, heads: ChainHeads, now: datetime
) -> None:
    row = confirmation_depth.tier_of_amount(chain_id=order.chain_id, amount=order.amount)
    count = confirmation_depth.count_confirmations(block=transfer.block, heads=heads)
    # outside the ledger: a count that changes with each block is for display only
    if order.depth != count:
        update_where(Order, where={"pk": order.pk}, change={"depth": count})
        order.depth = count
    if order.state == "CONFIRMING" and confirmation_depth.is_deep_enough(
        row=row, block=transfer.block, heads=heads
    ):
        # value is given for it from here on: one receipt more is cheap
        if not _is_still_included(reader, transfer):
            _take_back_transfer(order, transfer, now)
            return
        facts = {"depth": count, "tier": row.ref, "latest": heads.latest}
        _record_order_transition(order, "DEEP", facts, now)
    # by the chain's own mark: from here on not even a reorganization can take it back
    if order.state == "FINAL" and transfer.block <= heads.finalized:
        _record_order_transition(
            order, "FOR_GOOD", {"finalized": heads.finalized}, now, ended_at=now
        )


def _is_still_included(reader: ChainReader, kept_transfer: Transfer) -> bool:
    """Check the transfer itself once more, just before it counts."""
    receipt = reader.receipt(kept_transfer.tx_hash)
    if receipt is None or receipt.block_hash != kept_transfer.block_hash:
        return False
    expected = (
        kept_transfer.log_index,
        kept_transfer.asset_address,
        kept_transfer.payer,
        kept_transfer.payee,
        kept_transfer.units,
    )
    return any(
        (transfer.index, transfer.asset, transfer.payer, transfer.payee, str(transfer.units))
        == expected
        for transfer in parse_transfers(receipt)
    )


def _take_back_transfer(order: Order, transfer: Transfer, now: datetime) -> None:
    event = "UNDONE" if order.state == "FINAL" else "FELL"
    sentence = (FINAL_TAKEN_BACK if event == "UNDONE" else BLOCK_TAKEN_BACK).format(
        tx=transfer.tx_hash
    )
    if event == "UNDONE":
        logger.error("order %s: the chain took back what was final", order.order_id)
    facts = {"transfer": transfer.in_full}
    try:
        with transaction.atomic():
            Transfer.objects.filter(pk=transfer.pk).update(gone=True)
            # `named`: the same transaction usually comes again in another block, and is looked for
            # by hash
            record_transition(order, event, now=now, facts=facts, transfer=None, why=sentence,
                 named=transfer.tx_hash, depth=0)  # fmt: skip
    except ConcurrentUpdate:
        logger.info("order %s was changed concurrently", order.order_id)


def _record_order_transition(
    order: Order, event: str, facts: dict[str, Any], now: datetime, **changes: datetime
) -> None:
    try:
        with transaction.atomic():
            record_transition(order, event, now=now, facts=facts, **changes)
    except ConcurrentUpdate:
        logger.info("order %s was changed concurrently", order.order_id)
