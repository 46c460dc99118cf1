"""Whose a transfer is, how deep one must stand, and what may happen to an order: by tables."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.chain.assets import CHAINS
from apps.payments.chain.rules import confirmation_depth, transitions
from apps.payments.chain.rules.confirmation_depth import ChainHeads
from apps.payments.chain.rules.transfer_match import ExpectedOrder, ObservedTransfer, match_transfer
from apps.platform.common.transition_tables import NoSuchTransition
from tests.conftest import NOON

SKEW = timedelta(seconds=2)
HOUR = timedelta(hours=1)
TOKEN, OTHER, PAYEE, PAYER, BOB = (f"0x{digit * 40}" for digit in "12345")
TX, REFERENCE = "0x" + "a" * 64, "0x" + "b" * 64

ORDER = ExpectedOrder(
    key=1, owner="account:1", asset=TOKEN, recipient=PAYEE, sender="", units=250,
    reference=REFERENCE,
    named="", opened_at=NOON, deadline=NOON + HOUR,
)  # fmt: skip
SECOND = replace(ORDER, key=2, reference="0x" + "c" * 64)
THEIRS = replace(SECOND, key=3, owner="account:2")
CAME = ObservedTransfer(
    asset=TOKEN, payer=PAYER, payee=PAYEE, units=250, reference="", tx_hash=TX, at=NOON + SKEW
)  # fmt: skip


def found(came: ObservedTransfer, *orders: ExpectedOrder) -> tuple[str, str, tuple[int, ...]]:
    """Return row, outcome and orders of a match."""
    transfer = match_transfer(came, orders, skew=SKEW)
    return transfer.ref, transfer.outcome, transfer.keys


@pytest.mark.parametrize(
    ("came", "orders", "expected"),
    [
        ({}, [ORDER], ("MATCH-4", "SETTLES", (1,))),
        ({}, [], ("MATCH-9", "NOBODY", ())),
        # time, both sides of either end
        ({"at": NOON - SKEW}, [ORDER], ("MATCH-4", "SETTLES", (1,))),
        ({"at": NOON - SKEW * 2}, [ORDER], ("MATCH-9", "NOBODY", ())),
        ({"at": NOON + HOUR}, [ORDER], ("MATCH-4", "SETTLES", (1,))),
        ({"at": NOON + HOUR + SKEW}, [ORDER], ("MATCH-6", "LATE", (1,))),
        # the reference
        ({"reference": REFERENCE}, [SECOND, ORDER], ("MATCH-1", "SETTLES", (1,))),
        ({"reference": REFERENCE}, [THEIRS, ORDER], ("MATCH-1", "SETTLES", (1,))),
        ({"reference": REFERENCE, "units": 249}, [SECOND, ORDER], ("MATCH-2", "UNFIT", (1,))),
        ({"reference": REFERENCE, "at": NOON - HOUR}, [ORDER], ("MATCH-1", "SETTLES", (1,))),
        ({"reference": REFERENCE, "at": NOON + HOUR * 2}, [ORDER], ("MATCH-6", "LATE", (1,))),
        ({"reference": "0x" + "d" * 64}, [ORDER], ("MATCH-4", "SETTLES", (1,))),
        # several
        ({}, [ORDER, SECOND], ("MATCH-5", "UNCLEAR", (1, 2))),
        ({}, [ORDER, THEIRS], ("MATCH-5", "UNCLEAR", (1, 3))),
        ({}, [replace(ORDER, named=TX), SECOND], ("MATCH-3", "SETTLES", (1,))),
        ({}, [replace(ORDER, named=TX), replace(SECOND, named=TX)],
         ("MATCH-5", "UNCLEAR", (1, 2))),
        ({}, [ORDER, replace(THEIRS, named=TX)], ("MATCH-5", "UNCLEAR", (1, 3))),
        ({}, [ORDER, replace(THEIRS, sender=PAYER)], ("MATCH-5", "UNCLEAR", (1, 3))),
        ({}, [ORDER, replace(SECOND, sender=PAYER)], ("MATCH-4", "SETTLES", (2,))),
        ({}, [ORDER, replace(SECOND, sender=BOB)], ("MATCH-4", "SETTLES", (1,))),
        ({}, [ORDER, replace(SECOND, looking=False)], ("MATCH-4", "SETTLES", (1,))),
        # what has its transfer already
        ({}, [replace(ORDER, looking=False)], ("MATCH-10", "AGAIN", ())),
        # what is not as expected
        ({"units": 249}, [replace(ORDER, named=TX)], ("MATCH-7", "UNFIT", (1,))),
        ({"asset": OTHER}, [replace(ORDER, named=TX)], ("MATCH-7", "UNFIT", (1,))),
        ({"payee": BOB}, [replace(ORDER, named=TX)], ("MATCH-7", "UNFIT", (1,))),
        ({"payer": PAYER}, [replace(ORDER, named=TX, sender=BOB)], ("MATCH-7", "UNFIT", (1,))),
        # what looks like a mistake, both sides of either bound
        ({"units": 125}, [ORDER], ("MATCH-8", "UNFIT", (1,))),
        ({"units": 124}, [ORDER], ("MATCH-9", "NOBODY", ())),
        ({"units": 500}, [ORDER], ("MATCH-8", "UNFIT", (1,))),
        ({"units": 501}, [ORDER], ("MATCH-9", "NOBODY", ())),
        ({"units": 1}, [replace(ORDER, sender=PAYER)], ("MATCH-8", "UNFIT", (1,))),
        ({"units": 200}, [replace(ORDER, sender=BOB)], ("MATCH-9", "NOBODY", ())),
        ({"units": 200}, [ORDER, SECOND], ("MATCH-9", "NOBODY", ())),
        ({"payee": BOB}, [ORDER], ("MATCH-9", "NOBODY", ())),
    ],
)  # fmt: skip
def test_a_transfer_is_one_orders_or_nobodys(
    came: dict[str, Any], orders: list[ExpectedOrder], expected: Any
) -> None:
    assert found(replace(CAME, **came), *orders) == expected
    assert found(replace(CAME, **came), *reversed(orders))[:2] == expected[:2]


HEADS = ChainHeads(latest=1000, safe=940, finalized=400)


@pytest.mark.parametrize(
    ("amount", "block", "deep"),
    [
        ("999.999999", 990, False),
        ("999.999999", 989, True),
        ("1000", 989, False),
        ("1000", 941, False),
        ("1000", 940, True),
        ("99999.999999", 940, True),
        ("100000", 940, False),
        ("100000", 401, False),
        ("100000", 400, True),
    ],
)
@pytest.mark.parametrize("chain", [8453, 84532, 1])
def test_larger_amounts_stand_deeper(chain: int, amount: str, block: int, deep: bool) -> None:
    row = confirmation_depth.tier_of_amount(chain_id=chain, amount=Decimal(amount))
    assert confirmation_depth.is_deep_enough(row=row, block=block, heads=HEADS) is deep


def test_a_mark_alone_is_not_depth() -> None:
    heads = ChainHeads(latest=1000, safe=1000, finalized=1000)
    row = confirmation_depth.tier_of_amount(chain_id=1, amount=Decimal(100_000))
    assert not confirmation_depth.is_deep_enough(row=row, block=990, heads=heads)
    assert confirmation_depth.is_deep_enough(row=row, block=989, heads=heads)


@pytest.mark.parametrize(("block", "count"), [(1000, 1), (999, 2), (1001, 0), (1, 1000)])
def test_a_block_is_its_own_first_confirmation(block: int, count: int) -> None:
    assert confirmation_depth.count_confirmations(block=block, heads=HEADS) == count


def test_each_chain_has_tiers_up_to_finalized() -> None:
    assert {chain.chain_id for chain in CHAINS.values()} == set(confirmation_depth.TIERS)
    for rows in confirmation_depth.TIERS.values():
        assert [row.mark for row in rows] == ["", "safe", "finalized"]
        assert rows[-1].below is None and rows[0].below < rows[1].below  # type: ignore[operator]
    refs = [row.ref for rows in confirmation_depth.TIERS.values() for row in rows[:1]]
    assert refs == ["CHAIN-DEPTH-1", "CHAIN-DEPTH-1", "CHAIN-DEPTH-4"]


def test_final_is_left_in_one_way_alone_and_that_is_told() -> None:
    leaves = [
        transition
        for transition in transitions.TRANSITIONS
        if "FINAL" in transition.states and transition.next != "FINAL"
    ]
    assert [(leaf.event, leaf.next, leaf.tells) for leaf in leaves] == [
        ("UNDONE", "CONFLICT", True)
    ]
    into = [
        transition
        for transition in transitions.TRANSITIONS
        if transition.next == "FINAL" and "FINAL" not in transition.states
    ]
    assert [one.states for one in into] == [("CONFIRMING",)]
    assert len({transition.code for transition in transitions.TRANSITIONS}) == len(
        transitions.TRANSITIONS
    )


def test_what_the_table_does_not_have_does_not_happen() -> None:
    with pytest.raises(NoSuchTransition):
        transitions.find_transition("EXPIRED", "FOUND")
    with pytest.raises(NoSuchTransition):
        transitions.find_transition("FINAL", "FELL")
