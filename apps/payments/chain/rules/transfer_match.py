"""Match a transfer to the one order that it settles, or to none. Pure.

A transfer names no order unless it came by an authorization whose nonce is the order's reference
(EIP-3009). Without that it is compared with what is expected: recipient, token and exact amount,
the sender if one is expected, and time. A transaction that an order names narrows that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Outcome = Literal["SETTLES", "LATE", "UNCLEAR", "UNFIT", "AGAIN", "NOBODY"]


@dataclass(frozen=True, slots=True)
class ExpectedOrder:
    """An order; addresses in lower case. `looking` while it waits, `over` once none counts."""

    key: int
    owner: str
    asset: str
    recipient: str
    sender: str
    units: int
    reference: str
    named: str
    opened_at: datetime
    deadline: datetime
    looking: bool = True
    over: bool = False


@dataclass(frozen=True, slots=True)
class ObservedTransfer:
    """A transfer in a block of the chain; addresses in lower case."""

    asset: str
    payer: str
    payee: str
    units: int
    reference: str
    tx_hash: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TransferMatch:
    """The relation of a transfer to orders, by the row `ref`; `why` may be shown to callers."""

    ref: str
    outcome: Outcome
    keys: tuple[int, ...] = ()
    why: str = ""


def match_transfer(
    came: ObservedTransfer, expected: Sequence[ExpectedOrder], *, skew: timedelta
) -> TransferMatch:
    """Match a transfer to the orders that wait; `skew` is how far clocks may differ.

    An order that does not wait any more can find it late, and is never settled by it.
    """
    bound = [
        expected_order
        for expected_order in expected
        if came.reference and expected_order.reference == came.reference
    ]
    # a reference is a digest that only the order has: nothing else needs to agree to belong to it
    if bound:
        return _match_by_reference(came, bound[0])
    named = [expected_order for expected_order in expected if expected_order.named == came.tx_hash]
    fit = [expected_order for expected_order in expected if not find_mismatch(came, expected_order)]
    timely = [order for order in fit if order.looking and _is_timely(came, order, skew)]
    closest = timely
    # among orders of several owners nothing is narrowed down: naming a sender or a transaction
    # proves nothing, and could take another owner's transfer
    if len({order.owner for order in timely}) == 1:
        closest = [order for order in closest if order.sender] or closest
        closest = [order for order in closest if order.named == came.tx_hash] or closest
    if len(closest) == 1:
        return TransferMatch(
            "MATCH-3" if closest[0] in named else "MATCH-4", "SETTLES", _order_keys(closest)
        )
    if closest:
        return TransferMatch(
            "MATCH-5", "UNCLEAR", _order_keys(closest), _SEVERAL.format(tx=came.tx_hash)
        )
    late = [
        order
        for order in fit
        # an order that was closed before its deadline can be late too
        if came.at > order.deadline or (order.over and _is_timely(came, order, skew))
    ]
    if late:
        return _match_late(came, late)
    # paid twice, or by two payers: the second transfer settles nothing
    if any(not order.looking for order in fit):
        return TransferMatch(
            "MATCH-10", "AGAIN", (), "It matches an order that already has its transfer."
        )
    if named:
        why = find_mismatch(came, named[0]) or _EARLY
        return TransferMatch(
            "MATCH-7", "UNFIT", _order_keys(named), _WRONG.format(tx=came.tx_hash, why=why)
        )
    return _match_nearest(came, expected)


def _match_by_reference(observed_transfer: ObservedTransfer, order: ExpectedOrder) -> TransferMatch:
    """Return the relation of a transfer to the order whose reference it has."""
    why = find_mismatch(observed_transfer, order)
    if why:
        sentence = _WRONG.format(tx=observed_transfer.tx_hash, why=why)
        return TransferMatch("MATCH-2", "UNFIT", (order.key,), sentence)
    # no lower bound: the reference did not exist before the order, whatever the block's clock says
    if order.looking and observed_transfer.at <= order.deadline:
        return TransferMatch("MATCH-1", "SETTLES", (order.key,))
    return _match_late(observed_transfer, [order])


def _match_late(
    observed_transfer: ObservedTransfer, orders: Sequence[ExpectedOrder]
) -> TransferMatch:
    sentence = _LATE if any(observed_transfer.at > order.deadline for order in orders) else _OVER
    return TransferMatch(
        "MATCH-6", "LATE", _order_keys(orders), sentence.format(tx=observed_transfer.tx_hash)
    )


def _match_nearest(
    observed_transfer: ObservedTransfer, expected: Sequence[ExpectedOrder]
) -> TransferMatch:
    """Return the one order that the transfer may have been meant for, if there is only one."""
    near = [
        expected_order
        for expected_order in expected
        if expected_order.looking and _resembles_order(observed_transfer, expected_order)
    ]
    # of several nobody knows which was meant, and an earlier transfer was meant for none
    if len(near) == 1 and observed_transfer.at >= near[0].opened_at:
        why = _WRONG.format(
            tx=observed_transfer.tx_hash, why=find_mismatch(observed_transfer, near[0]) or _EARLY
        )
        return TransferMatch("MATCH-8", "UNFIT", _order_keys(near), why)
    return TransferMatch("MATCH-9", "NOBODY", (), "It matches no order.")


def find_mismatch(came: ObservedTransfer, order: ExpectedOrder) -> str:
    """Return what about a transfer differs from an order, or an empty text."""
    if came.asset != order.asset:
        return "it moves another token"
    if came.payee != order.recipient:
        return "it pays another recipient"
    if order.sender and came.payer != order.sender:
        return "it comes from another sender"
    if came.units != order.units:
        return f"it moves {came.units} of the token's smallest units, expected are {order.units}"
    return ""


def _resembles_order(observed_transfer: ObservedTransfer, order: ExpectedOrder) -> bool:
    """Tell whether a transfer looks like a mistaken one for an order, rather than anybody's."""
    if observed_transfer.payee != order.recipient or (
        order.sender and observed_transfer.payer != order.sender
    ):
        return False
    # from half to twice the amount; with a known sender any amount
    return bool(order.sender) or order.units <= observed_transfer.units * 2 <= order.units * 4


def _is_timely(observed_transfer: ObservedTransfer, order: ExpectedOrder, skew: timedelta) -> bool:
    # a block's time may be behind our clock by as much as a block takes
    return order.opened_at - skew <= observed_transfer.at <= order.deadline


def _order_keys(orders: Sequence[ExpectedOrder]) -> tuple[int, ...]:
    return tuple(order.key for order in orders)


_SEVERAL = "Transfer {tx} matches several orders: name the transaction, or use the reference."
_LATE = "Transfer {tx} arrived after the deadline: it settles nothing."
_OVER = "Transfer {tx} arrived after the order was ended: it settles nothing."
_WRONG = "Transfer {tx} does not fit: {why}."
_EARLY = "it is from before the order"

# the printed table: the first row that holds counts
MATCH_RULES: tuple[tuple[str, str, str], ...] = (
    ("MATCH-1", "its reference is an order's, and everything else matches", "settles that order"),
    ("MATCH-2", "its reference is an order's, and something else differs",
     "settles nothing; reported"),
    ("MATCH-3", "it fits, in time, exactly one of the orders that name it", "settles that order"),
    ("MATCH-4", (
        "it fits, in time, exactly one order; among orders of one owner, one with a sender has "
        "priority"
    ),
     "settles that order"),
    ("MATCH-5", "it fits several, or orders of several owners", "settles nothing; CONFLICT"),
    ("MATCH-6", "it fits an order that has expired or was ended",
     "settles nothing; reported"),
    ("MATCH-10", "it fits an order that already has its transfer", "settles nothing; kept"),
    ("MATCH-7", "an order names it, and it does not fit", "settles nothing; reported"),
    ("MATCH-8", "it resembles what one order alone awaits: sender, or half to twice the amount",
     "settles nothing; reported"),
    ("MATCH-11", "an order names its transaction, which pays the recipient nothing",
     "settles nothing; reported"),
    ("MATCH-12", "an order names it, and it settles another one or carries the reference of one",
     "settles nothing; reported"),
    ("MATCH-13", "its receipt is larger than the limit", "settles nothing; reported"),
    ("MATCH-14", "more transfers reach its recipient in one block than the limit",
     "those are left out; reported"),
    ("MATCH-9", "none of these", "ignored: it belongs to no order"),
)  # fmt: skip
