"""Expected transfers as other apps ask for them."""

import uuid
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from eth_utils.address import to_checksum_address

from apps.access.paywall.x402.networks import NETWORKS
from apps.payments.chain import orders
from apps.payments.chain.assets import CHAINS, AssetNotSettled
from apps.payments.chain.integrity import OrderIntegrityError, verify_orders
from apps.payments.chain.models import ChainEvent, Order
from apps.platform.jobs.models import Job
from tests.chain.wanting import PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
HASH = "0x" + "ab" * 32


def test_an_order_says_what_executes_it() -> None:
    asked = wanted()
    found = orders.expect_transfer(asked, now=NOON)
    assert (found.chain_id, found.network, found.asset) == (8453, "base", "USDC")
    assert (found.recipient, found.amount, found.amount_minor) == (PAYEE, 250, 250_000_000)
    assert found.asset_address == NETWORKS["base"].asset
    assert found.deadline == asked.deadline and len(found.reference) == 66
    assert found == orders.load_execution(asked.order_id) == orders.build_execution(asked)
    assert orders.load_transfer_status(asked.order_id).state == "OPEN"
    assert Job.objects.filter(name="chain.watch", key="eip155:8453").count() == 1


def test_the_same_order_again_is_the_same() -> None:
    asked = wanted()
    first = orders.expect_transfer(asked, now=NOON)
    later = replace(asked, deadline=asked.deadline + timedelta(hours=1))
    assert orders.expect_transfer(later, now=NOON + timedelta(minutes=1)) == first
    assert (Order.objects.count(), ChainEvent.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"amount": Decimal("250.000001")},
        {"recipient": PAYER},
        {"asset": "EURC"},
        {"chain": "eip155:1"},
        {"owner": "account:2"},
        {"sender": PAYER},
        {"about": "payment"},
    ],
)
def test_an_order_is_never_made_another(change: dict[str, object]) -> None:
    asked = wanted()
    orders.expect_transfer(asked, now=NOON)
    with pytest.raises(orders.OrderDiffers):
        orders.expect_transfer(replace(asked, **change), now=NOON)  # type: ignore[arg-type]


def test_two_orders_of_the_same_terms_have_references_of_their_own() -> None:
    assert orders.build_execution(wanted()).reference != orders.build_execution(wanted()).reference


@pytest.mark.parametrize("amount", ["0", "-1", "0.0000001", "NaN", "Infinity"])
def test_an_amount_that_no_transfer_has_is_refused(amount: str) -> None:
    with pytest.raises(ValueError, match="no amount"):
        orders.build_execution(wanted(amount=Decimal(amount)))


@pytest.mark.parametrize("change", [{"chain": "eip155:10"}, {"asset": "USDT"}])
def test_what_settles_nowhere_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(AssetNotSettled):
        orders.build_execution(wanted(**change))


@pytest.mark.parametrize("address", ["", "0x12", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"])
def test_a_recipient_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="no EVM address"):
        orders.build_execution(wanted(recipient=address))


def test_nobody_can_be_told_of_an_order_about_nothing() -> None:
    with pytest.raises(KeyError):
        orders.expect_transfer(wanted(about="lottery"), now=NOON)


def test_a_reported_hash_is_where_to_look_and_no_proof() -> None:
    asked = wanted()
    orders.expect_transfer(asked, now=NOON)
    found = orders.report_transaction(asked.order_id, HASH.upper().replace("0X", "0x"), now=NOON)
    assert (found.state, found.tx_hash, found.confirmations) == ("SEEN", HASH, 0)
    orders.report_transaction(asked.order_id, HASH, now=NOON)
    assert [chain_event.event for chain_event in ChainEvent.objects.order_by("pk")] == [
        "OPENED",
        "REPORTED",
    ]


@pytest.mark.parametrize("text", ["", "0x12", "ab" * 32, "0x" + "zz" * 32, HASH + "00"])
def test_what_is_no_hash_is_refused(text: str) -> None:
    asked = wanted()
    orders.expect_transfer(asked, now=NOON)
    with pytest.raises(orders.InvalidHash):
        orders.report_transaction(asked.order_id, text, now=NOON)


def test_an_order_that_is_not_there_has_no_standing() -> None:
    with pytest.raises(orders.OrderNotFound):
        orders.load_transfer_status(uuid.uuid4())
    with pytest.raises(orders.OrderNotFound):
        orders.report_transaction(uuid.uuid4(), HASH, now=NOON)
    assert orders.load_execution(uuid.uuid4()) is None


@pytest.mark.parametrize(
    "change",
    [{"recipient": PAYER}, {"amount": Decimal(1)}, {"state": "EXPIRED"}, {"named": HASH}],
)
def test_an_order_that_was_altered_is_not_relied_on(change: dict[str, object]) -> None:
    asked = wanted()
    orders.expect_transfer(asked, now=NOON)
    assert list(verify_orders(lambda _: None)) == []
    Order.objects.update(**change)
    with pytest.raises(OrderIntegrityError):
        orders.load_transfer_status(asked.order_id)
    with pytest.raises(OrderIntegrityError):
        orders.expect_transfer(asked, now=NOON)
    assert len(list(verify_orders(lambda _: None))) == 1


def test_every_token_is_written_with_its_checksum() -> None:
    for chain in CHAINS.values():
        assert all(asset == to_checksum_address(asset) for asset in chain.assets.values())
        assert sorted(chain.assets) == ["EURC", "USDC"]
