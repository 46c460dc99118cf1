"""A block with more logs than a node's answer may hold stops no order but those it hides."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.node_parser import Log
from apps.payments.chain.models import Cursor, Order
from apps.platform.upstreams.http import AnswerTooLarge, UpstreamError
from tests.chain.fake_chain import FakeChain, Transaction
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
USDC, *MORE = [asset.lower() for asset in CHAINS[BASE].assets.values()]
OTHER = "0x" + "7" * 40
STRANGER = "0x" + "9" * 40
MOST = 10  # logs of one answer


class Crowded(FakeChain):
    """A chain whose nodes answer no more than some logs; `refusing` says how they refuse more."""

    refusing: UpstreamError = AnswerTooLarge(
        "chain-base-1: more than 8388608 bytes", permanent=True
    )
    refused = 0

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        found = super().logs(first=first, last=last, assets=assets, topics=topics)
        if len(found) > MOST:
            self.refused += 1
            raise self.refusing
        return found

    def spam(self, payee: str, *, payer: str = STRANGER, token: str = USDC) -> list[Transaction]:
        """Return more transfers of nothing than are answered."""
        return [self.transaction(token, payer, payee, 0, "") for _ in range(MOST + 1)]

    def paid(self, payee: str = PAYEE, *, nonce: str = "", payer: str = PAYER) -> Transaction:
        return self.transaction(USDC, payer.lower(), payee.lower(), 250_000_000, nonce)


@pytest.fixture
def chain() -> Crowded:
    """A chain of a few blocks."""
    crowded = Crowded(NOON)
    crowded.grow(blocks=3)
    return crowded


def expect(chain: Crowded, **changes: Any) -> Order:
    expected_transfer = wanted(now=chain.clock, amount=Decimal(250), **changes)
    expected_transfers.expect_transfer(expected_transfer, now=chain.clock)
    return Order.objects.get(order_id=expected_transfer.order_id)


def look(chain: Crowded) -> bool:
    return tasks.scan_chain(chain=CHAINS[BASE], reader=chain, now=chain.clock)


def state(order: Order) -> str:
    return Order.objects.get(pk=order.pk).state


def test_orders_for_other_recipients_settle_in_the_very_block(chain: Crowded) -> None:
    hidden, other = expect(chain), expect(chain, recipient=OTHER)
    chain.grow(*chain.spam(PAYEE.lower()), chain.paid(OTHER), chain.paid(), blocks=3)
    assert not look(chain)
    assert Cursor.objects.get().block == chain.heads().latest
    assert (state(other), state(hidden)) == ("CONFIRMING", "OPEN")
    case = Case.objects.get()
    assert case.rules[0]["ref"] == "MATCH-14" and case.ref.startswith(str(hidden.order_id))
    assert case.evidence["seen"] == {"block": "4"}


def test_who_is_hidden_is_told_once_however_many_such_blocks_come(chain: Crowded) -> None:
    order = expect(chain)
    for _ in range(3):
        chain.grow(*chain.spam(PAYEE.lower()), blocks=1)
        look(chain)
    order.refresh_from_db()
    assert "name the transaction" in order.why
    assert (order.steps, Case.objects.count()) == (2, 1)


def test_a_hidden_transfer_settles_once_it_is_named(chain: Crowded) -> None:
    order = expect(chain)
    right = chain.paid()
    chain.grow(*chain.spam(PAYEE.lower()), right, blocks=2)
    look(chain)
    expected_transfers.report_transaction(order.order_id, right.tx_hash, now=chain.clock)
    look(chain)
    assert state(order) == "CONFIRMING"


def test_a_transfer_with_its_reference_is_found_among_all_the_others(chain: Crowded) -> None:
    order = expect(chain)
    chain.grow(*chain.spam(PAYEE.lower()), chain.paid(nonce=order.reference), blocks=2)
    look(chain)
    assert state(order) == "CONFIRMING" and not Case.objects.exists()


def test_a_transfer_from_the_expected_sender_is_found_among_those_of_strangers(
    chain: Crowded,
) -> None:
    order, open_to_all = expect(chain, sender=PAYER), expect(chain)
    chain.grow(*chain.spam(PAYEE.lower()), chain.paid(), blocks=2)
    look(chain)
    assert state(order) == "CONFIRMING"
    assert Case.objects.get().ref.startswith(str(open_to_all.order_id))


def test_transfers_that_bear_the_senders_name_hide_its_own_and_no_other(chain: Crowded) -> None:
    hidden, found = expect(chain, sender=PAYER), expect(chain, sender=OTHER)
    spam = chain.spam(PAYEE.lower(), payer=PAYER.lower())
    chain.grow(*spam, chain.paid(payer=OTHER), blocks=2)
    look(chain)
    assert (state(hidden), state(found)) == ("OPEN", "CONFIRMING")
    assert Case.objects.get().ref.startswith(str(hidden.order_id))


@pytest.mark.parametrize("token", MORE)
def test_transfers_of_another_token_hide_none(chain: Crowded, token: str) -> None:
    order = expect(chain)
    chain.grow(*chain.spam(PAYEE.lower(), token=token), chain.paid(), blocks=2)
    look(chain)
    assert state(order) == "CONFIRMING" and not Case.objects.exists()


def test_what_a_node_refuses_without_saying_that_it_is_too_much_is_not_left_out(
    chain: Crowded,
) -> None:
    """It may refuse for any reason: the cursor stays before the block, and nobody is told."""
    chain.refusing = UpstreamError("eth_getLogs was refused", permanent=True)
    order = expect(chain)
    chain.grow(*chain.spam(PAYEE.lower()), blocks=2)
    with pytest.raises(UpstreamError):
        look(chain)
    assert state(order) == "OPEN" and not Case.objects.exists()


def test_what_is_refused_and_is_answered_in_narrower_questions_is_read(chain: Crowded) -> None:
    chain.refusing = UpstreamError("eth_getLogs was refused", permanent=True)
    order = expect(chain, sender=PAYER)
    chain.grow(*chain.spam(PAYEE.lower()), chain.paid(), blocks=2)
    look(chain)
    assert state(order) == "CONFIRMING"


def test_a_node_that_fails_is_asked_nothing_narrower(chain: Crowded) -> None:
    chain.refusing = UpstreamError("chain-base-1 answered 503")
    expect(chain)
    chain.grow(*chain.spam(PAYEE.lower()), blocks=1)
    Cursor.objects.create(
        chain=BASE, block=3, block_hash=chain.blocks[3].block.hash,
        block_time=chain.blocks[3].block.time, looked_at=NOON, span=1,
    )  # fmt: skip
    with pytest.raises(UpstreamError):
        look(chain)
    assert chain.refused == 1
