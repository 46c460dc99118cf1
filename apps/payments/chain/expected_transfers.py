"""Expected transfers: how other apps order one, and read its status.

`expect_transfer` writes an order; `load_transfer_status` returns its status. The app named by
`about` (purposes.py) is notified of each transition that matters.
"""

import logging
import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from eth_utils.address import is_address, to_checksum_address

from apps.payments.chain import assets
from apps.payments.chain.integrity import (
    INTEGRITY_FAILED,
    OrderIntegrityError,
    is_order_removed,
    verify_order,
)
from apps.payments.chain.models import ChainEvent, Order
from apps.payments.chain.purposes import PURPOSES
from apps.payments.chain.record_transition import WATCH, record_transition, write_transition_event
from apps.payments.chain.rules import confirmation_depth
from apps.payments.chain.rules.transitions import MOST_STEPS, State
from apps.platform.common.problems import Conflict
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.db.compiled_statements import insert_if_absent
from apps.platform.jobs import job_queue
from apps.platform.ledger.recorded_transitions import ConcurrentUpdate

# kept with each order that was closed, until a late transfer replaces it
CLOSED_REASON = "No transfer is expected any more."
logger = logging.getLogger(__name__)
_HASH = re.compile(r"0x[0-9a-f]{64}")


class OrderDiffers(ValueError):
    """An order of this id already exists for another transfer."""


class OrderNotFound(LookupError):
    """There is no order of this id."""


class OrderRemoved(OrderIntegrityError, OrderNotFound):
    """The order was recorded, but its row is missing: it was removed."""


class InvalidHash(ValueError):
    """The text is no hash of a transaction."""


class TooManyHashes(Conflict):
    """Too many steps were recorded for the order; no more hashes are accepted."""

    code, title = "too_many_hashes", "No more transaction hashes accepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTransfer:
    """An expected transfer. `order_id` is the caller's own, and may be expected only once.

    `about` names a registered purpose, `owner` its owner. `chain` is CAIP-2, `amount` in the asset
    with at most 6 decimals, `recipient` and `sender` are EVM addresses; without a sender anybody
    may pay.
    """

    order_id: uuid.UUID
    about: str
    owner: str
    chain: str
    asset: str
    amount: Decimal
    recipient: str
    sender: str = ""
    deadline: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferExecution:
    """The data to execute the transfer; `reference` is for the nonce of EIP-3009.

    A transfer under that nonce is bound to its order, whatever else is expected.
    """

    chain_id: int
    network: str
    asset: str
    asset_address: str
    recipient: str
    amount: Decimal
    amount_minor: int
    reference: str
    deadline: datetime
    sender: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferStatus:
    """The status of an order.

    `needed` is the number of blocks required, only an estimate if `until` (safe or finalized) says
    that the chain's own mark decides. `why` may be shown to callers. `closed`: it is EXPIRED
    because it was ended, not by its deadline.
    """

    state: State
    tx_hash: str = ""
    log_index: int | None = None
    confirmations: int = 0
    needed: int = 0
    until: str = ""
    why: str = ""
    closed: bool = False


def build_execution(wanted: ExpectedTransfer) -> TransferExecution:
    """Return the data that executes a transfer, without expecting it. Pure.

    ValueError (AssetNotSettled among them) for an invalid chain, asset, amount or address.
    """
    chain = assets.get_chain(wanted.chain)
    address = to_checksum_address(assets.token_address(wanted.chain, wanted.asset))
    units = assets.to_minor_units(wanted.amount)
    recipient = _checksum_address(wanted.recipient)
    # everything that the transfer must match: a reference fits no other amount, token or recipient
    bound = [str(wanted.order_id), chain.chain_id, address, recipient, units]
    return TransferExecution(
        chain_id=chain.chain_id,
        network=chain.network,
        asset=wanted.asset,
        asset_address=address,
        recipient=recipient,
        amount=wanted.amount,
        amount_minor=units,
        reference="0x" + canonical_digest(["expected transfer", *bound]),
        deadline=wanted.deadline,
        sender=_checksum_address(wanted.sender) if wanted.sender else "",
    )


@transaction.atomic
def expect_transfer(wanted: ExpectedTransfer, *, now: datetime) -> TransferExecution:
    """Expect a transfer, durably; a repeat of an order returns the same one and its deadline.

    Raises ValueError as `build_execution` does; OrderDiffers if the id belongs to another transfer;
    OrderRemoved if it was expected before and its row was removed; KeyError for an `about` that no
    app registers.
    """
    # before anything is written: an order that nobody is notified of would wait for ever
    PURPOSES.require(wanted.about)
    execution = build_execution(wanted)
    row = Order(
        order_id=wanted.order_id,
        about=wanted.about,
        owner=wanted.owner,
        chain=wanted.chain,
        chain_id=execution.chain_id,
        asset=execution.asset,
        asset_address=execution.asset_address,
        amount=wanted.amount,
        recipient=execution.recipient,
        sender=execution.sender,
        reference=execution.reference,
        deadline=wanted.deadline,
        opened_at=now,
        state="OPEN",
        changed_at=now,
    )
    # a repeat, or two at once: the reference covers chain, token, recipient and amount
    if not insert_if_absent(row):
        order = Order.objects.select_related("transfer").filter(order_id=row.order_id).first()
        same = ("about", "owner", "reference", "sender")
        if order is None or any(getattr(order, name) != getattr(row, name) for name in same):
            raise OrderDiffers(f"Order {row.order_id} already exists for another transfer.")
        return execution_of_order(verify_order(order))
    # after the insert, which holds the id: its row was deleted, and it may have been paid
    if is_order_removed(wanted.order_id):
        raise _removed_order_error(wanted.order_id)
    names = ("order_id", "about", "owner", "chain", "asset_address", "amount", "recipient",
             "sender", "reference", "deadline")  # fmt: skip
    write_transition_event(
        row,
        event="OPENED",
        code="",
        now=now,
        facts={"order": {name: str(getattr(row, name)) for name in names}},
    )
    # one pending job per chain, however many orders it has
    job_queue.enqueue_job(job=WATCH, key=row.chain, now=now)
    return execution


def load_execution(order_id: uuid.UUID) -> TransferExecution | None:
    """Return what executes an order, None where there is none; OrderIntegrityError where
    altered.
    """
    order = _load_order(order_id)
    return execution_of_order(verify_order(order)) if order else None


def load_transfer_status(order_id: uuid.UUID) -> TransferStatus:
    """Return how far an order is; OrderNotFound where there is none, OrderIntegrityError where
    altered.
    """
    order = _load_order(order_id)
    if order is None:
        raise OrderNotFound(str(order_id))
    return status_of_order(verify_order(order))


def load_execution_and_status(
    order_id: uuid.UUID,
) -> tuple[TransferExecution, TransferStatus] | None:
    """Return what executes an order and how far it is, None where there is none; two queries."""
    stored_order = _load_order(order_id)
    if stored_order is None:
        return None
    order = verify_order(stored_order)
    return execution_of_order(order), status_of_order(order)


def report_transaction(order_id: uuid.UUID, tx_hash: str, *, now: datetime) -> TransferStatus:
    """Note the hash of the transaction that is said to carry an order, and have it checked.

    A hash proves nothing: it says where to search. InvalidHash for any other text, OrderNotFound
    without an order, TooManyHashes (409) after very many. A repeated hash changes nothing, and
    neither does one for an order whose transfer was found.
    """
    named = parse_transaction_hash(tx_hash)
    # the watcher moves orders at the same time: read it again and retry
    for _ in range(3):
        stored_order = _load_order(order_id)
        if stored_order is None:
            raise OrderNotFound(str(order_id))
        order = verify_order(stored_order)
        if order.state in ("CONFIRMING", "FINAL") or order.named == named:
            return status_of_order(order)
        # an order's steps are a ledger: a caller must not fill it with hashes
        if order.steps >= MOST_STEPS:
            raise TooManyHashes(
                "Too many transactions were named. The transfer is found without a hash."
            )
        try:
            with transaction.atomic():
                record_transition(order, "REPORTED", now=now, facts={"txHash": named}, named=named)
                job_queue.enqueue_job(job=WATCH, key=order.chain, now=now)
            return status_of_order(order)
        except ConcurrentUpdate:
            continue
    return load_transfer_status(order_id)


@transaction.atomic
def close_order(order_id: uuid.UUID, *, now: datetime) -> bool:
    """Stop expecting a transfer, and return whether none is expected.

    False if a transaction was named or seen. An order that was never made, or that ended without a
    transfer, is not expected. Raises OrderIntegrityError if it was altered, OrderRemoved if its row
    was removed.
    """
    order = Order.objects.select_for_update().filter(order_id=order_id).first()
    if order is None:
        if is_order_removed(order_id):
            raise _removed_order_error(order_id)
        return True
    verify_order(order)
    # SEEN has a transaction that somebody named: its money may be on the way
    if order.state == "OPEN":
        record_transition(order, "CLOSED", now=now, why=CLOSED_REASON)
        return True
    return order.state == "EXPIRED" and order.transfer is None


def order_exists(order_id: uuid.UUID) -> bool:
    """Tell whether an order was made, without checking whether it can be relied on."""
    return Order.objects.filter(order_id=order_id).exists() or is_order_removed(order_id)


def parse_transaction_hash(text: str) -> str:
    """Return a transaction's hash in canonical form; InvalidHash for any other text."""
    transaction_hash = text.strip().lower()
    if not _HASH.fullmatch(transaction_hash):
        raise InvalidHash("A transaction's hash is 0x and 64 hexadecimal digits.")
    return transaction_hash


def _load_order(order_id: uuid.UUID) -> Order | None:
    order = Order.objects.filter(order_id=order_id).first()
    if order is None and is_order_removed(order_id):
        raise _removed_order_error(order_id)
    return order


def _removed_order_error(order_id: uuid.UUID) -> OrderRemoved:
    logger.error("order %s is recorded, but its row is missing", order_id)
    return OrderRemoved(INTEGRITY_FAILED)


def execution_of_order(order: Order) -> TransferExecution:
    """Return the data that executes a verified order."""
    return TransferExecution(
        chain_id=order.chain_id,
        network=assets.get_chain(order.chain).network,
        asset=order.asset,
        asset_address=order.asset_address,
        recipient=order.recipient,
        amount=order.amount,
        amount_minor=assets.to_minor_units(order.amount),
        reference=order.reference,
        deadline=order.deadline,
        sender=order.sender,
    )


def status_of_order(order: Order) -> TransferStatus:
    """Return the status of a verified order."""
    row = confirmation_depth.tier_of_amount(chain_id=order.chain_id, amount=order.amount)
    transfer = order.transfer
    return TransferStatus(
        state=order.state,  # type: ignore[arg-type]
        tx_hash=transfer.tx_hash if transfer else order.named,
        log_index=transfer.log_index if transfer else None,
        confirmations=order.depth if transfer else 0,
        needed=row.about,
        until=row.mark,
        why=order.why,
        closed=_was_closed(order),
    )


def _was_closed(order: Order) -> bool:
    """Tell whether an order is EXPIRED because it was ended, and not by its deadline."""
    if order.state != "EXPIRED":
        return False
    # a late transfer replaces the sentence of the order, but not the step in its ledger
    closings = ChainEvent.objects.filter(order=order, event="CLOSED")
    return order.why == CLOSED_REASON or closings.exists()


def _checksum_address(text: str) -> str:
    if not is_address(text):
        raise ValueError(f"{text[:60]!r} is not an EVM address")
    return to_checksum_address(text)
