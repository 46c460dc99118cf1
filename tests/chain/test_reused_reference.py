"""A transfer under the reference of an order that has ended settles no other order."""

from typing import Any

import pytest

from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.models import Order, Transfer
from tests.chain.fake_chain import FakeChain
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
CHAIN = CHAINS[BASE]


@pytest.fixture
def chain() -> FakeChain:
    return FakeChain(NOON)


def expected(chain: FakeChain, owner: str) -> Any:
    expected_transfer = wanted(now=chain.clock, owner=owner)
    expected_transfers.expect_transfer(expected_transfer, now=chain.clock)
    return expected_transfer


def paid(chain: FakeChain, asked: Any, *, bound: bool) -> str:
    """Pay an order in the next block, and return the transaction."""
    execution = expected_transfers.build_execution(asked)
    one = chain.transaction(
        execution.asset_address.lower(),
        PAYER.lower(),
        PAYEE.lower(),
        execution.amount_minor,
        execution.reference if bound else "",
    )
    chain.grow(one)
    return one.tx_hash


def look(chain: FakeChain) -> None:
    while tasks.scan_chain(chain=CHAIN, reader=chain, now=chain.clock):
        pass


def settled_for_good(chain: FakeChain) -> Any:
    asked = expected(chain, "a")
    paid(chain, asked, bound=False)
    for _ in range(3):
        chain.grow(blocks=30)
        look(chain)
    return asked


def expired_long_ago(chain: FakeChain) -> Any:
    asked = expected(chain, "a")
    chain.grow(seconds=int(tasks.LATE_FOR.total_seconds()) + 4000)
    for _ in range(3):
        chain.grow(blocks=30)
        look(chain)
    return asked


@pytest.mark.parametrize("before", [settled_for_good, expired_long_ago])
def test_it_settles_nobody_elses_order_and_who_names_it_is_told(
    chain: FakeChain, before: Any
) -> None:
    ended = before(chain)
    assert Order.objects.get(order_id=ended.order_id).ended_at is not None
    another = expected(chain, "b")
    look(chain)
    tx = paid(chain, ended, bound=True)
    look(chain)
    assert expected_transfers.load_transfer_status(another.order_id).state == "OPEN"
    assert not Transfer.objects.filter(tx_hash=tx).exists()
    expected_transfers.report_transaction(another.order_id, tx, now=chain.clock)
    look(chain)
    transfer_status = expected_transfers.load_transfer_status(another.order_id)
    assert (transfer_status.state, "reference of another order" in transfer_status.why) == (
        "SEEN",
        True,
    )


def test_its_own_transfer_then_settles_the_other(chain: FakeChain) -> None:
    ended = settled_for_good(chain)
    another = expected(chain, "b")
    paid(chain, ended, bound=True)
    tx = paid(chain, another, bound=True)
    look(chain)
    transfer_status = expected_transfers.load_transfer_status(another.order_id)
    assert (transfer_status.state, transfer_status.tx_hash) == ("CONFIRMING", tx)
