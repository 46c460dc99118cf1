"""Which order a transfer settles: one alone, or none. Pure.

A transfer names no order unless it came by an authorization whose nonce is the order's reference
(EIP-3009). Without that it is held against what is expected: recipient, token and exact amount,
the sender where one is expected, and time. A transaction that an order names narrows that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Outcome = Literal["SETTLES", "LATE", "UNCLEAR", "UNFIT", "AGAIN", "NOBODY"]


@dataclass(frozen=True, slots=True)
class ExpectedOrder:
    """An order; addresses in small letters. `looking` while it waits, `over` once none counts."""

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
    """A transfer in a block of the chain; addresses in small letters."""

    asset: str
    payer: str
    payee: str
    units: int
    reference: str
    tx_hash: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TransferMatch:
    """What a transfer is to orders, by the row `ref`; `why` may be told."""

    ref: str
    outcome: Outcome
    keys: tuple[int, ...] = ()
    why: str = ""


def match_transfer(
    came: ObservedTransfer, expected: Sequence[ExpectedOrder], *, skew: timedelta
) -> TransferMatch:
    """Return what a transfer is to the orders that wait; `skew` is how far clocks may differ.

    An order that does not look any more can be late for it, and is never settled by it.
    """
    bound = [
        expected_order
        for expected_order in expected
        if came.reference and expected_order.reference == came.reference
    ]
    if bound:
        return _match_by_reference(came, bound[0])
    named = [expected_order for expected_order in expected if expected_order.named == came.tx_hash]
    fit = [expected_order for expected_order in expected if not find_mismatch(came, expected_order)]
    timely = [one for one in fit if one.looking and _is_timely(came, one, skew)]
    closest = timely
    # among several owners' nothing is narrowed down: whoever names a sender or a transaction says
    # no more than that, and would take another's transfer
    if len({one.owner for one in timely}) == 1:
        closest = [one for one in closest if one.sender] or closest
        closest = [one for one in closest if one.named == came.tx_hash] or closest
    if len(closest) == 1:
        return TransferMatch(
            "MATCH-3" if closest[0] in named else "MATCH-4", "SETTLES", _order_keys(closest)
        )
    if closest:
        return TransferMatch(
            "MATCH-5", "UNCLEAR", _order_keys(closest), _SEVERAL.format(tx=came.tx_hash)
        )
    late = [
        one for one in fit if came.at > one.deadline or (one.over and _is_timely(came, one, skew))
    ]
    if late:
        return _match_late(came, late)
    if any(not one.looking for one in fit):
        return TransferMatch(
            "MATCH-10", "AGAIN", (), "It fits an order that has its transfer already."
        )
    if named:
        why = find_mismatch(came, named[0]) or _EARLY
        return TransferMatch(
            "MATCH-7", "UNFIT", _order_keys(named), _WRONG.format(tx=came.tx_hash, why=why)
        )
    return _match_nearest(came, expected)


def _match_by_reference(observed_transfer: ObservedTransfer, order: ExpectedOrder) -> TransferMatch:
    """Return what a transfer is to the order whose reference it bears.

    The reference is not known before the order: where a block says otherwise, clocks differ.
    """
    why = find_mismatch(observed_transfer, order)
    if why:
        said = _WRONG.format(tx=observed_transfer.tx_hash, why=why)
        return TransferMatch("MATCH-2", "UNFIT", (order.key,), said)
    if order.looking and observed_transfer.at <= order.deadline:
        return TransferMatch("MATCH-1", "SETTLES", (order.key,))
    return _match_late(observed_transfer, [order])


def _match_late(
    observed_transfer: ObservedTransfer, orders: Sequence[ExpectedOrder]
) -> TransferMatch:
    said = _LATE if any(observed_transfer.at > order.deadline for order in orders) else _OVER
    return TransferMatch(
        "MATCH-6", "LATE", _order_keys(orders), said.format(tx=observed_transfer.tx_hash)
    )


def _match_nearest(
    observed_transfer: ObservedTransfer, expected: Sequence[ExpectedOrder]
) -> TransferMatch:
    """Tell the one order that the transfer may have been meant for, if there is but one."""
    near = [
        expected_order
        for expected_order in expected
        if expected_order.looking and _resembles_order(observed_transfer, expected_order)
    ]
    if len(near) == 1 and observed_transfer.at >= near[0].opened_at:
        why = _WRONG.format(
            tx=observed_transfer.tx_hash, why=find_mismatch(observed_transfer, near[0]) or _EARLY
        )
        return TransferMatch("MATCH-8", "UNFIT", _order_keys(near), why)
    return TransferMatch("MATCH-9", "NOBODY", (), "It fits no order.")


def find_mismatch(came: ObservedTransfer, order: ExpectedOrder) -> str:
    """Return what about a transfer is not as an order expects it, or an empty text."""
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
    """Tell whether a transfer looks like a mistaken one for an order, and not like anybody's."""
    if observed_transfer.payee != order.recipient or (
        order.sender and observed_transfer.payer != order.sender
    ):
        return False
    return bool(order.sender) or order.units <= observed_transfer.units * 2 <= order.units * 4


def _is_timely(observed_transfer: ObservedTransfer, order: ExpectedOrder, skew: timedelta) -> bool:
    return order.opened_at - skew <= observed_transfer.at <= order.deadline


def _order_keys(orders: Sequence[ExpectedOrder]) -> tuple[int, ...]:
    return tuple(order.key for order in orders)


_SEVERAL = "Transfer {tx} fits several orders: name the transaction, or use the reference."
_LATE = "Transfer {tx} came after the deadline: it settles nothing."
_OVER = "Transfer {tx} came after the order was ended: it settles nothing."
_WRONG = "Transfer {tx} does not fit: {why}."
_EARLY = "it is from before the order"

# what is printed of it: the first row that holds counts
MATCH_RULES: tuple[tuple[str, str, str], ...] = (
    ("MATCH-1", "its reference is an order's, and all else is as expected", "settles that order"),
    ("MATCH-2", "its reference is an order's, and something else differs", "settles nothing; told"),
    ("MATCH-3", "it fits, in time, one order alone of those that name it", "settles that order"),
    ("MATCH-4", "it fits, in time, one order alone; of one owner's, one with a sender goes first",
     "settles that order"),
    ("MATCH-5", "it fits several, or orders of several owners", "settles nothing; CONFLICT"),
    ("MATCH-6", "it fits an order whose deadline has passed, or that was ended",
     "settles nothing; told"),
    ("MATCH-10", "it fits an order that has its transfer already", "settles nothing; kept"),
    ("MATCH-7", "an order names it, and it does not fit", "settles nothing; told"),
    ("MATCH-8", "it is like what one order alone waits for: by sender, or by half to twice the sum",
     "settles nothing; told"),
    ("MATCH-11", "an order names its transaction, which pays the recipient nothing",
     "settles nothing; told"),
    ("MATCH-12", "an order names it, and it settles another one or bears the reference of one",
     "settles nothing; told"),
    ("MATCH-13", "its receipt is larger than is read", "settles nothing; told"),
    ("MATCH-14", "more transfers reach its recipient in one block than are read",
     "those are left out; told"),
    ("MATCH-9", "none of these", "is nobody's here"),
)  # fmt: skip
