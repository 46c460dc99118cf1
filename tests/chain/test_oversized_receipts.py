"""A transaction whose receipt is larger than is read stops no other from being read."""

from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.node_parser import Receipt
from apps.payments.chain.models import Order
from apps.platform.upstreams.http import AnswerTooLarge
from tests.chain.fake_chain import FakeChain
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
TOKEN = CHAINS[BASE].assets["USDC"].lower()


class Heavy(FakeChain):
    """A chain of which some receipts are too large."""

    heavy: frozenset[str] = frozenset()

    def receipt(self, tx_hash: str) -> Receipt | None:
        if tx_hash in self.heavy:
            raise AnswerTooLarge("chain-base-1: more than 8388608 bytes", permanent=True)
        return super().receipt(tx_hash)


@pytest.fixture
def chain() -> Heavy:
    """A chain in which a transfer of 5 is too large, and one of 250 is not."""
    heavy = Heavy(NOON)
    heavy.grow(blocks=3)
    return heavy


def paid(chain: Heavy, units: int, *, nonce: str = "") -> Any:
    return chain.transaction(TOKEN, PAYER.lower(), PAYEE.lower(), units, nonce)


def test_the_others_are_read_and_the_order_is_told(chain: Heavy) -> None:
    expected_transfer = wanted(now=chain.clock, amount=Decimal(250))
    expected_transfers.expect_transfer(expected_transfer, now=chain.clock)
    large, right = paid(chain, 5_000_000), paid(chain, 250_000_000)
    chain.heavy = frozenset({large.tx_hash})
    chain.grow(large, blocks=1)
    assert not tasks.scan_chain(chain=CHAINS[BASE], reader=chain, now=chain.clock)
    order = Order.objects.get()
    assert order.state == "OPEN" and large.tx_hash in order.why
    assert Case.objects.get().rules[0]["ref"] == "MATCH-13"
    chain.grow(right, blocks=3)
    for _ in range(2):
        tasks.scan_chain(chain=CHAINS[BASE], reader=chain, now=chain.clock)
    assert Order.objects.get().state == "CONFIRMING" and Case.objects.count() == 1


def test_one_that_an_order_names_is_told_and_the_look_goes_on(chain: Heavy) -> None:
    expected_transfer = wanted(now=chain.clock, amount=Decimal(250))
    expected_transfers.expect_transfer(expected_transfer, now=chain.clock)
    large = paid(chain, 5_000_000)
    expected_transfers.report_transaction(
        expected_transfer.order_id, large.tx_hash, now=chain.clock
    )
    chain.heavy = frozenset({large.tx_hash})
    chain.grow(blocks=2)
    tasks.scan_chain(chain=CHAINS[BASE], reader=chain, now=chain.clock)
    order = Order.objects.get()
    assert (order.state, large.tx_hash in order.why) == ("SEEN", True)
