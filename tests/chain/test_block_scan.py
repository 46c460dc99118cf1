"""Transfers on a real local chain, and what the watcher makes of them."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.payments.chain import expected_transfers
from apps.payments.chain.integrity import verify_orders
from apps.payments.chain.models import ChainEvent, Order, Transfer
from tests.chain.conftest import EURC, Local, cursor
from tests.chain.sample_orders import PAYER
from tests.paywall.payer import BOB

pytestmark = pytest.mark.django_db


def state(order_id: uuid.UUID) -> str:
    return expected_transfers.load_transfer_status(order_id).state


def test_the_expected_transfer_is_final_once_deep_enough(local: Local, order: Any) -> None:
    wanted = order()
    local.look()
    assert state(wanted) == "OPEN"
    tx = local.pay()
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert (transfer_status.state, transfer_status.tx_hash, transfer_status.confirmations) == (
        "CONFIRMING",
        tx,
        1,
    )
    assert (transfer_status.needed, transfer_status.until) == (12, "")
    local.mine(10)
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).confirmations) == (
        "CONFIRMING",
        11,
    )
    local.mine(1)
    local.look()
    assert expected_transfers.load_transfer_status(wanted).state == "FINAL"
    assert [chain_event.event for chain_event in ChainEvent.objects.order_by("pk")] == [
        "OPENED",
        "FOUND",
        "DEEP",
    ]
    local.mine(100)
    local.look()
    assert ChainEvent.objects.latest("pk").event == "FOR_GOOD"
    assert Order.objects.get().ended_at is not None
    assert list(verify_orders(lambda _: None)) == []


@pytest.mark.parametrize(
    ("amount", "blocks", "until"), [("1000", 32, "safe"), ("100000", 64, "finalized")]
)
def test_larger_amounts_wait_for_the_chains_own_mark(
    local: Local, order: Any, amount: str, blocks: int, until: str
) -> None:
    wanted = order(amount=Decimal(amount))
    local.pay(amount)
    local.mine(blocks - 1)
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).until) == (
        "CONFIRMING",
        until,
    )
    local.mine(1)
    local.look()
    assert state(wanted) == "FINAL"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sum_": "249.999999"}, "smallest units"),
        ({"sum_": "250.000001"}, "smallest units"),
        ({"token": EURC}, "another token"),
    ],
)
def test_a_transfer_that_is_not_the_expected_one_settles_nothing_and_is_told(
    local: Local, order: Any, change: dict[str, str], why: str
) -> None:
    wanted = order()
    local.pay(**change)
    local.mine(20)
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert transfer_status.state == "OPEN" and why in transfer_status.why
    local.pay()
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).why) == (
        "CONFIRMING",
        "",
    )


def test_a_transfer_to_another_recipient_settles_nothing(local: Local, order: Any) -> None:
    wanted = order()
    tx = local.pay(to=PAYER)
    local.look()
    assert state(wanted) == "OPEN"
    expected_transfers.report_transaction(wanted, tx, now=local.now())
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert transfer_status.state == "SEEN" and "pays the recipient nothing" in transfer_status.why


def test_a_transfer_of_another_sender_settles_nothing(local: Local, order: Any) -> None:
    wanted = order(sender=BOB.address)
    local.pay()
    local.look()
    assert state(wanted) == "OPEN"
    local.pay(by=BOB.address)
    local.look()
    assert state(wanted) == "CONFIRMING"


def test_a_transfer_from_before_the_order_settles_nothing(local: Local, order: Any) -> None:
    tx = local.pay()
    local.rpc("evm_increaseTime", 60)
    local.mine(1)
    wanted = order()
    local.look()
    assert state(wanted) == "OPEN"
    expected_transfers.report_transaction(wanted, tx, now=local.now())
    local.look()
    assert "before the order" in expected_transfers.load_transfer_status(wanted).why


def test_a_reverted_transaction_settles_nothing_and_is_told(local: Local, order: Any) -> None:
    wanted = order()
    tx = local.pay(by=PAYER)
    expected_transfers.report_transaction(wanted, tx, now=local.now())
    local.mine(20)
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert transfer_status.state == "SEEN" and "failed on the chain" in transfer_status.why


def test_a_pending_transaction_is_seen_and_counts_once_it_is_in_a_block(
    local: Local, order: Any
) -> None:
    wanted = order()
    local.rpc("evm_setAutomine", False)
    tx = local.pay(waits=False)
    expected_transfers.report_transaction(wanted, tx, now=local.now())
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).confirmations) == (
        "SEEN",
        0,
    )
    local.mine(1)
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).confirmations) == (
        "CONFIRMING",
        1,
    )


def test_the_reference_tells_two_equal_orders_apart(local: Local, order: Any) -> None:
    first, second = order(), order(owner="account:2")
    execution = expected_transfers.load_execution(second)
    assert execution is not None
    local.authorized(execution)
    local.look()
    assert (state(first), state(second)) == ("OPEN", "CONFIRMING")
    assert Transfer.objects.get().reference == execution.reference


def test_the_reference_settles_on_a_chain_whose_clock_is_behind(local: Local, order: Any) -> None:
    wanted = order(ahead=timedelta(seconds=60))
    execution = expected_transfers.load_execution(wanted)
    assert execution is not None
    local.authorized(execution)
    local.mine(50)  # far more than is read again each time
    local.look()
    assert state(wanted) == "FINAL"


@pytest.mark.parametrize("change", [{"value": 1}, {"to": PAYER}])
def test_the_reference_on_a_wrong_transfer_is_told(
    local: Local, order: Any, change: dict[str, Any]
) -> None:
    wanted = order()
    execution = expected_transfers.load_execution(wanted)
    assert execution is not None
    local.authorized(execution, **change)
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert transfer_status.state == "OPEN" and "does not fit" in transfer_status.why


def test_a_transfer_that_fits_several_orders_settles_none(local: Local, order: Any) -> None:
    first, second = order(), order()
    tx = local.pay()
    local.mine(20)
    local.look()
    for one in (first, second):
        assert state(one) == "CONFLICT" and tx in expected_transfers.load_transfer_status(one).why
    expected_transfers.report_transaction(second, tx, now=local.now())
    local.look()
    assert (state(first), state(second)) == ("CONFLICT", "FINAL")


def test_another_owners_word_does_not_take_a_transfer(local: Local, order: Any) -> None:
    first, other = order(), order(owner="account:2")
    tx = local.pay()
    expected_transfers.report_transaction(other, tx, now=local.now())
    local.look()
    assert (state(first), state(other)) == ("CONFLICT", "CONFLICT")
    expected_transfers.report_transaction(other, tx, now=local.now())
    local.look()
    assert not Order.objects.filter(state__in=("CONFIRMING", "FINAL")).exists()


def test_one_transfer_settles_one_order(local: Local, order: Any) -> None:
    first = order()
    tx = local.pay()
    local.look()
    second = order()
    expected_transfers.report_transaction(second, tx, now=local.now())
    local.mine(20)
    local.look()
    assert (state(first), state(second)) == ("FINAL", "SEEN")
    assert "another order" in expected_transfers.load_transfer_status(second).why
    local.pay()
    local.mine(20)
    local.look()
    assert state(second) == "FINAL" and Transfer.objects.count() == 2


def test_a_second_payment_of_the_same_order_is_kept_in_sight(local: Local, order: Any) -> None:
    wanted = order()
    local.pay()
    local.look()
    local.pay()
    local.look()
    assert state(wanted) == "CONFIRMING"
    assert Transfer.objects.exclude(why="").get().why.endswith("already has its transfer.")


def test_an_order_runs_out_by_the_chains_own_clock(local: Local, order: Any) -> None:
    wanted = order()
    local.rpc("evm_increaseTime", 3600 + 20)
    local.mine(1)
    local.look()
    assert state(wanted) == "OPEN"
    local.rpc("evm_increaseTime", 30)
    local.mine(1)
    local.look()
    assert state(wanted) == "EXPIRED"


def test_a_late_transfer_is_told_and_settles_nothing(local: Local, order: Any) -> None:
    wanted = order()
    local.rpc("evm_increaseTime", 3700)
    local.mine(1)
    local.look()
    assert state(wanted) == "EXPIRED"
    tx = local.pay()
    local.mine(20)
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert (
        transfer_status.state == "EXPIRED"
        and tx in transfer_status.why
        and "after the deadline" in transfer_status.why
    )
    assert Transfer.objects.get().why == transfer_status.why
    local.rpc("evm_increaseTime", int(timedelta(days=8).total_seconds()))
    local.mine(1)
    local.look()
    assert Order.objects.get().ended_at is not None


def test_a_transfer_in_time_counts_though_the_deadline_passes_meanwhile(
    local: Local, order: Any
) -> None:
    wanted = order()
    local.pay()
    local.rpc("evm_increaseTime", 7200)
    local.mine(20)
    local.look()
    assert state(wanted) == "FINAL"


def test_the_watcher_catches_up_after_an_outage(local: Local, order: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("apps.payments.chain.services.block_scan.WIDEST_RANGE", 50)
    monkeypatch.setattr("apps.payments.chain.services.block_scan.RANGES_PER_SCAN", 2)
    wanted = order()
    local.look()
    local.mine(120)
    local.pay()
    local.mine(120)
    local.look()
    assert state(wanted) == "OPEN" and cursor().block < cursor().latest
    for _ in range(4):
        local.look()
    assert state(wanted) == "FINAL"


def test_a_recipient_that_others_pay_is_no_matter(local: Local, order: Any) -> None:
    wanted = order()
    local.pay("3")
    local.pay("9000")
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).why) == ("OPEN", "")
    assert not Transfer.objects.exists()


@pytest.mark.parametrize("late", [True, False])
def test_what_was_told_of_a_transfer_is_not_told_again_at_each_look(
    local: Local, order: Any, late: bool
) -> None:
    order()
    if late:
        local.rpc("evm_increaseTime", 3700)
        local.mine(1)
        local.look()
    for sum_ in ("250", "250") if late else ("249", "251"):
        local.pay(sum_)
    local.look()
    chain_event_count = ChainEvent.objects.count()
    for _ in range(3):
        local.look()
    assert ChainEvent.objects.count() == chain_event_count
