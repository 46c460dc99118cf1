"""Expected transfers as other apps ask for them."""

import uuid
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from eth_utils.address import to_checksum_address

from apps.access.paywall.x402.networks import NETWORKS
from apps.payments.chain import expected_transfers
from apps.payments.chain.assets import CHAINS, AssetNotSettled
from apps.payments.chain.integrity import OrderIntegrityError, verify_orders
from apps.payments.chain.models import ChainEvent, Order
from apps.platform.jobs.models import Job
from tests.chain.sample_orders import PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
HASH = "0x" + "ab" * 32


def test_an_order_says_what_executes_it() -> None:
    expected_transfer = wanted()
    transfer_execution = expected_transfers.expect_transfer(expected_transfer, now=NOON)
    assert (transfer_execution.chain_id, transfer_execution.network, transfer_execution.asset) == (
        8453,
        "base",
        "USDC",
    )
    assert (
        transfer_execution.recipient,
        transfer_execution.amount,
        transfer_execution.amount_minor,
    ) == (PAYEE, 250, 250_000_000)
    assert transfer_execution.asset_address == NETWORKS["base"].asset
    assert (
        transfer_execution.deadline == expected_transfer.deadline
        and len(transfer_execution.reference) == 66
    )
    assert (
        transfer_execution
        == expected_transfers.load_execution(expected_transfer.order_id)
        == expected_transfers.build_execution(expected_transfer)
    )
    assert expected_transfers.load_transfer_status(expected_transfer.order_id).state == "OPEN"
    assert Job.objects.filter(name="chain.watch", key="eip155:8453").count() == 1


def test_the_same_order_again_is_the_same() -> None:
    expected_transfer = wanted()
    first = expected_transfers.expect_transfer(expected_transfer, now=NOON)
    later = replace(expected_transfer, deadline=expected_transfer.deadline + timedelta(hours=1))
    assert expected_transfers.expect_transfer(later, now=NOON + timedelta(minutes=1)) == first
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
    expected_transfer = wanted()
    expected_transfers.expect_transfer(expected_transfer, now=NOON)
    with pytest.raises(expected_transfers.OrderDiffers):
        expected_transfers.expect_transfer(replace(expected_transfer, **change), now=NOON)  # type: ignore[arg-type]


def test_two_orders_of_the_same_terms_have_references_of_their_own() -> None:
    assert (
        expected_transfers.build_execution(wanted()).reference
        != expected_transfers.build_execution(wanted()).reference
    )


@pytest.mark.parametrize("amount", ["0", "-1", "0.0000001", "NaN", "Infinity"])
def test_an_amount_that_no_transfer_has_is_refused(amount: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        expected_transfers.build_execution(wanted(amount=Decimal(amount)))


@pytest.mark.parametrize("change", [{"chain": "eip155:10"}, {"asset": "USDT"}])
def test_what_settles_nowhere_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(AssetNotSettled):
        expected_transfers.build_execution(wanted(**change))


@pytest.mark.parametrize("address", ["", "0x12", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"])
def test_a_recipient_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="not an EVM address"):
        expected_transfers.build_execution(wanted(recipient=address))


def test_nobody_can_be_told_of_an_order_about_nothing() -> None:
    with pytest.raises(KeyError):
        expected_transfers.expect_transfer(wanted(about="lottery"), now=NOON)


def test_a_reported_hash_is_where_to_look_and_no_proof() -> None:
    expected_transfer = wanted()
    expected_transfers.expect_transfer(expected_transfer, now=NOON)
    transfer_status = expected_transfers.report_transaction(
        expected_transfer.order_id, HASH.upper().replace("0X", "0x"), now=NOON
    )
    assert (transfer_status.state, transfer_status.tx_hash, transfer_status.confirmations) == (
        "SEEN",
        HASH,
        0,
    )
    expected_transfers.report_transaction(expected_transfer.order_id, HASH, now=NOON)
    assert [chain_event.event for chain_event in ChainEvent.objects.order_by("pk")] == [
        "OPENED",
        "REPORTED",
    ]


@pytest.mark.parametrize("text", ["", "0x12", "ab" * 32, "0x" + "zz" * 32, HASH + "00"])
def test_what_is_no_hash_is_refused(text: str) -> None:
    expected_transfer = wanted()
    expected_transfers.expect_transfer(expected_transfer, now=NOON)
    with pytest.raises(expected_transfers.InvalidHash):
        expected_transfers.report_transaction(expected_transfer.order_id, text, now=NOON)


def test_an_order_that_is_not_there_has_no_standing() -> None:
    with pytest.raises(expected_transfers.OrderNotFound):
        expected_transfers.load_transfer_status(uuid.uuid4())
    with pytest.raises(expected_transfers.OrderNotFound):
        expected_transfers.report_transaction(uuid.uuid4(), HASH, now=NOON)
    assert expected_transfers.load_execution(uuid.uuid4()) is None


@pytest.mark.parametrize(
    "change",
    [{"recipient": PAYER}, {"amount": Decimal(1)}, {"state": "EXPIRED"}, {"named": HASH}],
)
def test_an_order_that_was_altered_is_not_relied_on(change: dict[str, object]) -> None:
    expected_transfer = wanted()
    expected_transfers.expect_transfer(expected_transfer, now=NOON)
    assert list(verify_orders(lambda _: None)) == []
    Order.objects.update(**change)
    with pytest.raises(OrderIntegrityError):
        expected_transfers.load_transfer_status(expected_transfer.order_id)
    with pytest.raises(OrderIntegrityError):
        expected_transfers.expect_transfer(expected_transfer, now=NOON)
    assert len(list(verify_orders(lambda _: None))) == 1


@pytest.mark.parametrize(
    ("why", "closed"),
    [("No transfer is expected any more.", True), ("No transfer arrived in time.", False)],
)
def test_an_order_that_an_earlier_version_closed_is_still_closed(why: str, closed: bool) -> None:
    expected_transfer = wanted()
    expected_transfers.expect_transfer(expected_transfer, now=NOON)
    order = Order.objects.get()
    order.state, order.why = "EXPIRED", why  # the words as they were kept
    assert expected_transfers.status_of_order(order).closed is closed


def test_every_token_is_written_with_its_checksum() -> None:
    for chain in CHAINS.values():
        assert all(asset == to_checksum_address(asset) for asset in chain.assets.values())
        assert sorted(chain.assets) == ["EURC", "USDC"]
