"""When nothing is expected any more: by the chain's own clock, and late ones after a week."""

from datetime import timedelta

import pytest

from apps.payments.chain import expected_transfers
from apps.payments.chain.models import Order
from tests.chain.fake_chain import FakeChain
from tests.chain.test_altered_orders import expect, look, paid
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
DUE, TWELVE_BLOCKS = 3600, 24  # seconds
WEEK = int(timedelta(days=7).total_seconds())


@pytest.mark.parametrize(
    ("seconds", "state"), [(DUE + TWELVE_BLOCKS, "OPEN"), (DUE + TWELVE_BLOCKS + 1, "EXPIRED")]
)
def test_an_order_runs_out_once_its_deadline_is_twelve_blocks_deep(
    seconds: int, state: str
) -> None:
    asked, chain = expect(), FakeChain(NOON)
    chain.grow(seconds=seconds)
    look(chain)
    assert expected_transfers.load_transfer_status(asked.order_id).state == state


@pytest.mark.parametrize(("seconds", "ended"), [(WEEK - 1, False), (WEEK, True)])
def test_late_transfers_are_looked_for_for_a_week(seconds: int, ended: bool) -> None:
    expect()
    chain = FakeChain(NOON)
    chain.grow(seconds=DUE + TWELVE_BLOCKS + 1)
    look(chain)
    chain.grow(seconds=seconds)
    look(chain)
    order = Order.objects.get()
    assert (order.state, order.ended_at is not None) == ("EXPIRED", ended)


def test_an_order_that_was_ended_counts_as_ended_after_a_late_transfer_too() -> None:
    asked = expect()
    assert expected_transfers.close_order(asked.order_id, now=NOON)
    look(paid(int(asked.amount)))
    status = expected_transfers.load_transfer_status(asked.order_id)
    assert (status.state, status.closed) == ("EXPIRED", True)
    assert "after the order was ended" in status.why


def test_an_order_that_ran_out_was_not_ended() -> None:
    asked, chain = expect(), FakeChain(NOON)
    chain.grow(seconds=DUE + TWELVE_BLOCKS + 1)
    look(chain)
    assert not expected_transfers.load_transfer_status(asked.order_id).closed
