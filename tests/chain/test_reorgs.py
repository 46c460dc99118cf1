"""A chain that takes back what it said, on a real local chain."""

import uuid
from typing import Any

import pytest

from apps.payments.chain import expected_transfers
from apps.payments.chain.integrity import verify_orders
from apps.payments.chain.models import ChainEvent, Order, Transfer
from apps.platform.jobs.models import Job
from tests.chain.conftest import Local

pytestmark = pytest.mark.django_db


def state(order_id: uuid.UUID) -> str:
    return expected_transfers.load_transfer_status(order_id).state


def events() -> list[str]:
    return [chain_event.event for chain_event in ChainEvent.objects.order_by("pk")]


def test_a_rollback_takes_back_what_was_confirming(local: Local, order: Any) -> None:
    wanted = order()
    tx = local.pay()
    local.mine(2)
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).confirmations) == (
        "CONFIRMING",
        3,
    )
    local.rpc("anvil_rollback", 3)
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert (transfer_status.state, transfer_status.tx_hash, transfer_status.confirmations) == (
        "SEEN",
        tx,
        0,
    )
    assert "reverted" in transfer_status.why and Transfer.objects.get().gone
    local.mine(30)
    local.look()
    assert state(wanted) == "SEEN"
    local.pay()
    local.mine(11)
    local.look()
    assert state(wanted) == "FINAL"
    assert list(verify_orders(lambda _: None)) == []


def test_a_transfer_that_comes_again_in_another_block_counts_from_there(
    local: Local, order: Any
) -> None:
    wanted = order()
    tx = local.pay()
    local.mine(5)
    local.look()
    local.rpc("anvil_reorg", 6, [])
    local.look()
    assert state(wanted) == "SEEN"
    assert expected_transfers.load_transfer_status(wanted).tx_hash == tx
    again = local.pay()
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).tx_hash) == (
        "CONFIRMING",
        again,
    )
    assert expected_transfers.load_transfer_status(wanted).confirmations == 1


def test_a_reorg_deeper_than_final_is_never_silent(local: Local, order: Any) -> None:
    wanted = order()
    tx = local.pay()
    local.mine(14)
    local.look()
    assert state(wanted) == "FINAL"
    Job.objects.filter(name="chain.tell").delete()
    local.rpc("anvil_reorg", 15, [])
    local.look()
    transfer_status = expected_transfers.load_transfer_status(wanted)
    assert (transfer_status.state, transfer_status.tx_hash) == ("CONFLICT", tx)
    assert "after it had counted as final" in transfer_status.why
    assert events() == ["OPENED", "FOUND", "DEEP", "UNDONE"]
    assert Job.objects.filter(name="chain.tell", key=str(wanted)).exists()
    assert list(verify_orders(lambda _: None)) == []
    local.pay()
    local.mine(11)
    local.look()
    assert state(wanted) == "FINAL"


def test_a_shorter_chain_takes_nothing_final_back_until_it_is_as_high_again(
    local: Local, order: Any
) -> None:
    wanted = order()
    local.pay()
    local.mine(14)
    local.look()
    local.rpc("anvil_rollback", 15)
    local.look()
    assert state(wanted) == "FINAL"
    local.mine(1)
    local.look()
    assert state(wanted) == "CONFLICT"


def test_the_deep_past_is_read_again_on_another_chain(local: Local, order: Any) -> None:
    """The transfer is in a block that was read already, on the chain that was left."""
    wanted = order()
    local.mine(60)
    local.look()
    assert state(wanted) == "OPEN"
    local.rpc("anvil_rollback", 55)
    local.pay()
    local.mine(70)
    local.look()
    assert state(wanted) == "FINAL"


def test_what_is_final_for_good_is_not_looked_at_again(local: Local, order: Any) -> None:
    wanted = order()
    local.pay()
    local.mine(70)
    local.look()
    assert events()[-1] == "FOR_GOOD" and state(wanted) == "FINAL"
    assert not Order.objects.filter(ended_at=None).exists()


def test_a_watcher_killed_between_transfer_and_confirmation_loses_nothing(
    local: Local, order: Any, monkeypatch: Any
) -> None:
    """The process ends after each write of a look in turn; the next look takes it up."""
    wanted = order()
    local.pay()
    local.mine(20)
    died = 0

    class Died(BaseException):
        pass

    def dies(*_: Any, **__: Any) -> None:
        raise Died

    for place in (
        "apps.payments.chain.services.block_scan._advance_cursor",
        "apps.payments.chain.services.transfer_finality._record_order_transition",
    ):
        with monkeypatch.context() as cut:
            cut.setattr(place, dies)
            with pytest.raises(Died):
                local.look()
            died += 1
    local.look()
    assert (state(wanted), died) == ("FINAL", 2)
    assert events() == ["OPENED", "FOUND", "DEEP"]
