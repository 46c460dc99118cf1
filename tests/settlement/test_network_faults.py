"""A settlement is executed over networks that fail: it settles, and nothing is counted twice."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.payments.callbacks.models import Event
from apps.payments.chain import notifications
from apps.payments.chain.clients import nodes
from apps.payments.chain.models import Transfer
from apps.payments.payments.models import MonthVolume
from apps.payments.settlement.integrity import verify_settlements
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.platform.common.clock import now
from tests.chain.conftest import RICH, USDC, Local, amount, local  # noqa: F401
from tests.chain.fault_proxy import FaultProxy, faulty
from tests.paywall.local_chain import word
from tests.settlement.conftest import PAYER

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def network(local: Local, settings: Any, monkeypatch: Any) -> Iterator[FaultProxy]:  # noqa: F811
    """The network between the watcher and its one node."""
    monkeypatch.setattr(nodes.ChainNode, "patience", 1.0)
    with faulty(local.url) as proxy:
        settings.EVM_RPC_URLS = [proxy.url]
        yield proxy


@pytest.fixture
def paid(
    local: Local,  # noqa: F811
    network: FaultProxy,
    known: str,
    bank: APIClient,
    settle: Callable[..., Any],
) -> str:
    """A settlement whose transfer is deep in the chain, and was not looked at; its path."""
    made = settle(sandbox=False, client=bank, referenceId="R-1")
    execution = made["execution"]
    # a chain that was set back stands behind the time at which the settlement was asked for
    later = int(max(local.now(), now()).timestamp()) + 1
    local.rpc("evm_setNextBlockTimestamp", later)
    local.send(USDC, "0x40c10f19" + word(PAYER) + amount(RICH), by=PAYER)
    local.pay(execution["amount"], to=execution["recipient"], by=PAYER)
    local.mine(20)
    return f"/settlement/settle/{made['settlementId']}"


def look(chain: Local) -> None:
    """Let the watcher look, and whoever waits be told."""
    chain.look()
    notifications.notify_order_status(str(Settlement.objects.get().order_id), chain.now())


@pytest.mark.parametrize("mood", ["delay", "reset", "half-close", "truncate", "duplicate"])
def test_its_execution_survives_and_counts_once(
    local: Local,  # noqa: F811
    network: FaultProxy,
    paid: str,
    bank: APIClient,
    mood: str,
) -> None:
    network.mood = mood
    look(local)
    if mood != "duplicate":  # whose first answer is whole
        assert bank.get(paid).json()["status"] == "awaiting_settlement"
    network.mood = ""
    for _ in range(2):
        look(local)
    network.mood = mood
    look(local)
    assert bank.get(paid).json()["status"] == "settled"
    assert Transfer.objects.count() == 1
    assert MonthVolume.objects.get().settled_usd == Decimal(100)
    steps = SettlementEvent.objects.order_by("number").values_list("event", flat=True)
    assert list(steps) == ["ASKED", "CONFIRMED"]
    told = Event.objects.order_by("pk").values_list("name", flat=True)
    assert list(told) == ["settlement.awaiting_settlement", "settlement.settled"]
    assert not list(verify_settlements(lambda count: None))
