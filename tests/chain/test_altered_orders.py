"""Orders that somebody altered or removed: they are kept apart, told as such, and found."""

from contextlib import suppress
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.node_parser import MalformedAnswer
from apps.payments.chain.integrity import OrderIntegrityError, verify_orders
from apps.payments.chain.models import ChainEvent, Cursor, Order
from apps.payments.chain.rules.transitions import MOST_STEPS
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from apps.platform.upstreams.http import UpstreamError
from tests.chain.fake_chain import FakeChain
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
CHAIN = CHAINS[BASE]
TOKEN = CHAIN.assets["USDC"].lower()


def expect(**changes: Any) -> Any:
    """Expect a transfer."""
    expected_transfer = wanted(**changes)
    expected_transfers.expect_transfer(expected_transfer, now=NOON)
    return expected_transfer


def paid(*amounts: int) -> FakeChain:
    """Return a chain with a transfer of each amount, deep enough."""
    chain = FakeChain(NOON)
    sent = [
        chain.transaction(TOKEN, PAYER.lower(), PAYEE.lower(), amount * 10**6, "")
        for amount in amounts
    ]
    chain.grow(*sent, blocks=30)
    return chain


def look(chain: FakeChain) -> None:
    tasks.scan_chain(chain=CHAIN, reader=chain, now=chain.clock)


@pytest.mark.parametrize(
    "change", [{"asset": "EURC"}, {"chain_id": 1}, {"chain_id": 5}, {"chain": "eip155:1"}]
)
def test_another_token_or_chain_than_was_recorded_is_not_told(change: dict[str, Any]) -> None:
    asked = expect()
    Order.objects.update(**change)
    for read in (
        expected_transfers.load_execution,
        expected_transfers.load_transfer_status,
        expected_transfers.load_execution_and_status,
    ):
        with pytest.raises(OrderIntegrityError):
            read(asked.order_id)
    assert len(list(verify_orders(lambda _: None))) == 1


def test_one_order_that_was_altered_does_not_stop_the_others() -> None:
    altered, other = expect(), expect(amount=Decimal(77))
    chain = paid(250, 77)
    Order.objects.filter(order_id=altered.order_id).update(chain_id=5)
    look(chain)
    assert expected_transfers.load_transfer_status(other.order_id).state == "FINAL"
    assert Order.objects.get(order_id=altered.order_id).state == "OPEN"


def test_one_that_is_altered_while_its_transfer_is_held_does_not_stop_the_others() -> None:
    altered, other = expect(), expect(amount=Decimal(77))
    chain = paid(250, 77)
    chain.take_back(22)
    look(chain)
    assert {order.state for order in Order.objects.all()} == {"CONFIRMING"}
    Order.objects.filter(order_id=altered.order_id).update(chain_id=5)
    chain.grow(blocks=22)
    look(chain)
    assert expected_transfers.load_transfer_status(other.order_id).state == "FINAL"
    assert Order.objects.get(order_id=altered.order_id).state == "CONFIRMING"


@pytest.mark.parametrize("removed", [True, False])
def test_an_order_whose_row_is_gone_is_unproved_and_found(removed: bool) -> None:
    asked = expect()
    if removed:
        Order.objects.all().delete()
    else:
        Order.objects.update(order_id=uuid4())
    assert expected_transfers.order_exists(asked.order_id)
    for read in (
        expected_transfers.load_execution,
        expected_transfers.load_transfer_status,
        expected_transfers.load_execution_and_status,
    ):
        with pytest.raises(OrderIntegrityError):
            read(asked.order_id)
    with pytest.raises(OrderIntegrityError):
        expected_transfers.report_transaction(asked.order_id, "0x" + "ab" * 32, now=NOON)
    (said,) = verify_orders(lambda _: None)
    assert ("is missing" in said) is removed


def test_an_order_whose_row_is_gone_is_not_made_anew() -> None:
    asked = expect()
    Order.objects.all().delete()
    with pytest.raises(expected_transfers.OrderRemoved):
        expected_transfers.expect_transfer(asked, now=NOON)
    assert not Order.objects.exists() and ChainEvent.objects.count() == 1


def test_nobody_can_name_transactions_without_end() -> None:
    asked = expect()
    with pytest.raises(expected_transfers.TooManyHashes):
        for number in range(100):
            expected_transfers.report_transaction(asked.order_id, f"0x{number:064x}", now=NOON)
    assert ChainEvent.objects.count() == MOST_STEPS
    # the same again is no other, and the transfer is found without
    last = f"0x{MOST_STEPS - 2:064x}"
    assert expected_transfers.report_transaction(asked.order_id, last, now=NOON).tx_hash == last
    look(paid(250))
    assert expected_transfers.load_transfer_status(asked.order_id).state == "FINAL"


@pytest.mark.parametrize("error", [MalformedAnswer("receipt"), UpstreamError("too long")])
def test_a_named_transaction_that_cannot_be_read_stops_no_other(error: UpstreamError) -> None:
    """A hash is anybody's word: what it names may be whatever a contract made of it."""
    first, second = expect(), expect(amount=Decimal(77))
    chain = paid(250, 77)
    named, receipt = "0x" + "ee" * 32, chain.receipt

    def read(tx_hash: str) -> Any:
        if tx_hash == named:
            raise error
        return receipt(tx_hash)

    chain.receipt = read  # type: ignore[method-assign]
    expected_transfers.report_transaction(first.order_id, named, now=NOON)
    if isinstance(error, MalformedAnswer):
        look(chain)
        assert expected_transfers.load_transfer_status(second.order_id).state == "FINAL"
        assert expected_transfers.load_transfer_status(first.order_id).state == "FINAL"
    else:
        with pytest.raises(UpstreamError):
            look(chain)


def test_a_look_that_is_cut_off_passes_nothing_over(monkeypatch: Any) -> None:
    asked, chain = expect(), paid(250)
    receipt = chain.receipt
    monkeypatch.setattr(chain, "receipt", lambda _: Cursor.objects.get(block=-1))
    with pytest.raises(Cursor.DoesNotExist):
        look(chain)
    chain.receipt = receipt  # type: ignore[method-assign]
    look(chain)
    assert expected_transfers.load_transfer_status(asked.order_id).state == "FINAL"


class Broken(FakeChain):
    """A chain whose node makes what reads it fail as nothing should."""

    def heads(self) -> Any:
        raise ZeroDivisionError("secret of the node")


@pytest.mark.parametrize("read", [True, False])
def test_a_fault_of_another_kind_is_noted_at_the_chain(
    monkeypatch: Any, settings: Any, read: bool
) -> None:
    expect()
    if read:
        look(paid())
    monkeypatch.setattr(tasks, "connect_nodes", lambda _: Broken(NOON))
    with pytest.raises(ZeroDivisionError):
        tasks.watch_chain(BASE, NOON)
    cursor = Cursor.objects.get()
    assert cursor.trouble == "ZeroDivisionError: see the log" and cursor.troubled_at == NOON
    # and is over with the next look that comes to its end
    monkeypatch.setattr(tasks, "connect_nodes", lambda _: paid(250))
    with suppress(RetryLater):
        tasks.watch_chain(BASE, NOON)
    assert not Cursor.objects.get().trouble and Order.objects.get().state == "FINAL"
    assert Job.objects.filter(name="chain.tell").exists()
