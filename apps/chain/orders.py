"""Expected transfers: what other apps ask of the chain, and are told of it.

`expect` writes an order; `standing` tells how far it is. Whoever is named by `about` in
config/chain.py is called at each turn that matters.
"""

import logging
import re
import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from eth_utils.address import is_address, to_checksum_address

from apps.chain import assets
from apps.chain.models import Order
from apps.chain.moving import WATCH, Moved, move, record
from apps.chain.projection import UNPROVED, OrderUnproved, gone, proved
from apps.chain.rules import depth
from apps.chain.rules.turns import MOST_STEPS, State
from apps.core import jobs
from apps.core.canonical import digest
from apps.core.prepared import insert_once
from apps.core.problems import Conflict
from config.chain import OUTCOMES

CLOSED = "No transfer is expected any more."
logger = logging.getLogger(__name__)
_HASH = re.compile(r"0x[0-9a-f]{64}")


class OrderDiffers(ValueError):
    """An order of this id stands already, for another transfer."""


class NoOrder(LookupError):
    """There is no order of this id."""


class OrderGone(OrderUnproved, NoOrder):
    """The order was made, and its row is not there any more: somebody removed it."""


class BadHash(ValueError):
    """The text is no hash of a transaction."""


class TooManyHashes(Conflict):
    """So many steps were taken for the order that no more hashes are noted."""

    code, title = "too_many_hashes", "No more transactions can be named"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A transfer that is expected. `order_id` is the caller's own, and expected once.

    `about` names a row of config/chain.py, `owner` whose it is. `chain` is CAIP-2, `amount` in the
    asset with at most 6 decimals, `recipient` and `sender` are EVM addresses; without a sender
    anybody may pay.
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
class Execution:
    """What whoever executes the transfer needs; `reference` is for the nonce of EIP-3009.

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
class Standing:
    """How far an order is. `needed` is how many blocks are asked for, as a rule where `until`
    (safe or finalized) says that the chain's own mark decides. `why` may be told. `closed`: it is
    EXPIRED because it was ended, not by its deadline."""

    state: State
    tx_hash: str = ""
    log_index: int | None = None
    confirmations: int = 0
    needed: int = 0
    until: str = ""
    why: str = ""
    closed: bool = False


def parameters(wanted: Wanted) -> Execution:
    """Return what executes a transfer, without expecting it. Pure.

    ValueError (NotSettled among them) for a chain, an asset, an amount or an address that is none.
    """
    chain = assets.chain_of(wanted.chain)
    address = to_checksum_address(assets.address_of(wanted.chain, wanted.asset))
    units = assets.minor(wanted.amount)
    recipient = _address(wanted.recipient)
    bound = [str(wanted.order_id), chain.chain_id, address, recipient, units]
    return Execution(
        chain_id=chain.chain_id,
        network=chain.network,
        asset=wanted.asset,
        asset_address=address,
        recipient=recipient,
        amount=wanted.amount,
        amount_minor=units,
        reference="0x" + digest(["expected transfer", *bound]),
        deadline=wanted.deadline,
        sender=_address(wanted.sender) if wanted.sender else "",
    )


@transaction.atomic
def expect(wanted: Wanted, *, now: datetime) -> Execution:
    """Expect a transfer, durably; again with the same order it is the same, its deadline too.

    ValueError as in `parameters`; OrderDiffers where the id stands for another transfer; OrderGone
    where it was expected before and its row was removed; KeyError for an `about` that
    config/chain.py does not have.
    """
    _ = OUTCOMES[wanted.about]
    asked = parameters(wanted)
    row = Order(
        order_id=wanted.order_id,
        about=wanted.about,
        owner=wanted.owner,
        chain=wanted.chain,
        chain_id=asked.chain_id,
        asset=asked.asset,
        asset_address=asked.asset_address,
        amount=wanted.amount,
        recipient=asked.recipient,
        sender=asked.sender,
        reference=asked.reference,
        deadline=wanted.deadline,
        opened_at=now,
        state="OPEN",
        changed_at=now,
    )
    if not insert_once(row):
        return _again(row)
    if gone(wanted.order_id):
        raise _missed(wanted.order_id)
    record(row, event="OPENED", code="", now=now, facts={"order": _in_full(row)})
    jobs.enqueue(job=WATCH, key=row.chain, now=now)
    return asked


def _again(row: Order) -> Execution:
    found = Order.objects.select_related("transfer").filter(order_id=row.order_id).first()
    same = ("about", "owner", "reference", "sender")
    if found is None or any(getattr(found, name) != getattr(row, name) for name in same):
        raise OrderDiffers(f"Order {row.order_id} stands already, for another transfer.")
    return executes(proved(found))


def _in_full(row: Order) -> dict[str, str]:
    names = ("order_id", "about", "owner", "chain", "asset_address", "amount", "recipient",
             "sender", "reference", "deadline")  # fmt: skip
    return {name: str(getattr(row, name)) for name in names}


def execution(order_id: uuid.UUID) -> Execution | None:
    """Return what executes an order, None where there is none; OrderUnproved where altered."""
    found = _read(order_id)
    return executes(proved(found)) if found else None


def standing(order_id: uuid.UUID) -> Standing:
    """Return how far an order is; NoOrder where there is none, OrderUnproved where altered."""
    found = _read(order_id)
    if found is None:
        raise NoOrder(str(order_id))
    return stands(proved(found))


def both(order_id: uuid.UUID) -> tuple[Execution, Standing] | None:
    """Return what executes an order and how far it is, None where there is none; two queries."""
    found = _read(order_id)
    if found is None:
        return None
    order = proved(found)
    return executes(order), stands(order)


def reported(order_id: uuid.UUID, tx_hash: str, *, now: datetime) -> Standing:
    """Note which transaction is said to carry an order, and have it looked at.

    A hash proves nothing: it says where to look. BadHash for a text that is none, NoOrder where
    there is none, TooManyHashes (409) after very many. The same hash again changes nothing, and
    neither does one for an order whose transfer was found.
    """
    named = hash_of(tx_hash)
    for _ in range(3):
        found = _read(order_id)
        if found is None:
            raise NoOrder(str(order_id))
        order = proved(found)
        if order.state in ("CONFIRMING", "FINAL") or order.named == named:
            return stands(order)
        if order.steps >= MOST_STEPS:
            raise TooManyHashes("Very many transactions were named: the transfer is found without.")
        try:
            with transaction.atomic():
                move(order, "REPORTED", now=now, facts={"txHash": named}, named=named)
                jobs.enqueue(job=WATCH, key=order.chain, now=now)
            return stands(order)
        except Moved:
            continue
    return standing(order_id)


@transaction.atomic
def close(order_id: uuid.UUID, *, now: datetime) -> bool:
    """Expect a transfer no more, and tell whether none is: False where one was named or seen.

    An order that was never made, or is over without a transfer, is expected by nobody.
    OrderUnproved where it was altered, OrderGone where its row was removed.
    """
    order = Order.objects.select_for_update().filter(order_id=order_id).first()
    if order is None:
        if gone(order_id):
            raise _missed(order_id)
        return True
    proved(order)
    if order.state == "OPEN":
        move(order, "CLOSED", now=now, why=CLOSED)
        return True
    return order.state == "EXPIRED" and order.transfer is None


def exists(order_id: uuid.UUID) -> bool:
    """Tell whether an order was made; whether it can be relied on is not asked."""
    return Order.objects.filter(order_id=order_id).exists() or gone(order_id)


def hash_of(text: str) -> str:
    """Return a transaction's hash in its one form; BadHash for a text that is none."""
    found = text.strip().lower()
    if not _HASH.fullmatch(found):
        raise BadHash("A transaction's hash is 0x and 64 hexadecimal digits.")
    return found


def _read(order_id: uuid.UUID) -> Order | None:
    found = Order.objects.filter(order_id=order_id).first()
    if found is None and gone(order_id):
        raise _missed(order_id)
    return found


def _missed(order_id: uuid.UUID) -> OrderGone:
    logger.error("order %s is recorded, and is gone", order_id)
    return OrderGone(UNPROVED)


def executes(order: Order) -> Execution:
    """Return what executes an order that was proved."""
    return Execution(
        chain_id=order.chain_id,
        network=assets.chain_of(order.chain).network,
        asset=order.asset,
        asset_address=order.asset_address,
        recipient=order.recipient,
        amount=order.amount,
        amount_minor=assets.minor(order.amount),
        reference=order.reference,
        deadline=order.deadline,
        sender=order.sender,
    )


def stands(order: Order) -> Standing:
    """Return how far an order is that was proved."""
    row = depth.tier(chain_id=order.chain_id, amount=order.amount)
    found = order.transfer
    return Standing(
        state=order.state,  # type: ignore[arg-type]
        tx_hash=found.tx_hash if found else order.named,
        log_index=found.log_index if found else None,
        confirmations=order.depth if found else 0,
        needed=row.about,
        until=row.mark,
        why=order.why,
        closed=order.why == CLOSED,
    )


def _address(text: str) -> str:
    if not is_address(text):
        raise ValueError(f"{text[:60]!r} is no EVM address")
    return to_checksum_address(text)
