"""A local chain with both tokens, and what tests do to it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.payments.chain import expected_transfers
from apps.payments.chain.models import Cursor
from apps.payments.chain.purposes import PURPOSES, Purpose
from tests.chain.local_chain import BASE, EURC, RICH, USDC, Local, amount, authorization
from tests.chain.sample_orders import wanted
from tests.paywall.local_chain import running
from tests.shared_data import shared

__all__ = ["EURC", "RICH", "USDC", "Local", "amount", "authorization"]


@pytest.fixture
def local(settings: Any) -> Iterator[Local]:
    """A chain of the test's own, and this installation reading it.

    One of several tests, put back by `evm_revert`, keeps few of its past states in memory once it
    made many blocks: where `anvil_rollback` then goes back to, the token has no code, and what it
    is paid with says nothing.
    """
    shared("evm/MockUSDC.json")
    with running([]) as chain:
        made = Local(chain)
        made.set_up()
        settings.EVM_RPC_URLS = [made.url]
        settings.X402_NETWORK = "base"
        yield made


@pytest.fixture
def told(monkeypatch: Any) -> list[Any]:
    """Collect what is told of orders about settlements."""
    found: list[Any] = []
    monkeypatch.setitem(PURPOSES, "settlement", Purpose(notify=note))
    monkeypatch.setattr("tests.chain.conftest.NOTED", found)
    return found


NOTED: list[Any] = []


def note(order_id: Any, standing: Any, now: datetime) -> None:
    """Keep what was told."""
    NOTED.append((order_id, standing))


@pytest.fixture
def order(local: Local, db: Any) -> Any:
    """Expect 250 USDC, or what a test wants: `order(amount=…)` gives its id."""

    def make(ahead: timedelta = timedelta(0), **changes: Any) -> Any:
        now = local.now() + ahead
        expected_transfer = wanted(now=now, **changes)
        expected_transfers.expect_transfer(expected_transfer, now=now)
        return expected_transfer.order_id

    return make


def cursor() -> Cursor:
    """Return the cursor of Base."""
    return Cursor.objects.get(chain=BASE)
