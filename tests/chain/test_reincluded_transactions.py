"""A transaction that was taken back and comes again at another place of a block settles no more."""

from typing import Any

import pytest

from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.models import Order
from tests.chain.fake_chain import FakeChain, Transaction
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
CHAIN = CHAINS[BASE]
STRANGER = "0x" + "9" * 40


@pytest.fixture
def chain() -> FakeChain:
    return FakeChain(NOON)


def expect(chain: FakeChain, owner: str) -> Any:
    request = wanted(now=chain.clock, owner=owner)
    expected_transfers.expect_transfer(request, now=chain.clock)
    return request


def transfer(chain: FakeChain, payee: str = PAYEE) -> Transaction:
    units = 250_000_000
    return chain.transaction(CHAIN.assets["USDC"].lower(), PAYER.lower(), payee.lower(), units, "")


def look(chain: FakeChain) -> None:
    while tasks.scan_chain(chain=CHAIN, reader=chain, now=chain.clock):
        pass


def states() -> list[str]:
    return list(Order.objects.order_by("pk").values_list("state", flat=True))


def final_behind_a_strangers_transfer(chain: FakeChain) -> Transaction:
    """Have an order become final by a transfer that is the second one of its block."""
    expect(chain, "a")
    chain.grow(blocks=3)
    payment = transfer(chain)
    chain.grow(transfer(chain, STRANGER), payment)
    chain.grow(blocks=14)
    look(chain)
    assert states() == ["FINAL"]
    return payment


def test_at_another_place_of_a_lower_block_it_settles_no_second_order(chain: FakeChain) -> None:
    payment = final_behind_a_strangers_transfer(chain)
    chain.take_back(16)
    expect(chain, "b")
    chain.grow(payment)  # the first one of its block, lower than the one that it was final in
    look(chain)
    assert states() == ["FINAL", "OPEN"]
    chain.grow(blocks=30)
    look(chain)
    assert states()[0] == "CONFLICT"  # and whoever expected it is told
    assert Order.objects.exclude(transfer=None).count() <= 1


def test_another_transaction_just_like_it_settles_the_second_order(chain: FakeChain) -> None:
    final_behind_a_strangers_transfer(chain)
    chain.take_back(16)
    expect(chain, "b")
    chain.grow(transfer(chain))
    look(chain)
    assert states() == ["FINAL", "CONFIRMING"]


def test_an_order_that_names_it_is_told_that_it_settles_another(chain: FakeChain) -> None:
    payment = final_behind_a_strangers_transfer(chain)
    chain.take_back(16)
    request = expect(chain, "b")
    chain.grow(payment)
    expected_transfers.report_transaction(request.order_id, payment.tx_hash, now=chain.clock)
    look(chain)
    second = Order.objects.get(order_id=request.order_id)
    assert (second.transfer, second.state) == (None, "SEEN")
    assert "settles another order" in second.why
