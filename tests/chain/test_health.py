"""Health of what is expected on chains."""

from datetime import timedelta
from typing import Any

import pytest

from apps.payments.chain import health
from apps.payments.chain.models import Cursor, Order
from tests.chain.sample_orders import BASE
from tests.chain.test_altered_orders import expect, look, paid
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
ETHEREUM = "eip155:1"


@pytest.fixture(autouse=True)
def _node(settings: Any) -> None:
    settings.EVM_RPC_URLS, settings.X402_NETWORK = ["http://127.0.0.1:1"], "base"


def told(minutes: float = 0) -> dict[str, Any]:
    return health.check_chain_health(NOON + MINUTE * minutes)


def test_nothing_expected_is_well() -> None:
    assert told() == {
        "status": "ok", "awaited": 0, "unclear": 0, "readSecondsAgo": 0,
        "withoutNode": [], "troubled": [],
    }  # fmt: skip


@pytest.mark.parametrize(("minutes", "status"), [(2.99, "ok"), (3, "degraded")])
def test_a_chain_that_is_never_read_is_late_from_its_first_order_on(
    minutes: float, status: str
) -> None:
    expect()
    found = told(minutes)
    assert (found["status"], found["awaited"]) == (status, 1)
    assert found["readSecondsAgo"] == int(minutes * 60)


def test_a_chain_that_was_read_long_ago_while_nobody_waited_is_not_late() -> None:
    expect()
    look(paid())
    Cursor.objects.update(looked_at=NOON - timedelta(days=2))
    assert told(1)["status"] == "ok" and told(1)["readSecondsAgo"] == 60


def test_of_several_chains_the_one_that_was_not_read_for_longest_counts(monkeypatch: Any) -> None:
    monkeypatch.setattr(health, "node_urls", lambda chain: ["http://127.0.0.1:1"])
    expect()
    look(paid())
    expect(chain=ETHEREUM)
    Cursor.objects.update(looked_at=NOON + 5 * MINUTE)
    assert (told(5)["status"], told(5)["readSecondsAgo"]) == ("degraded", 300)


def test_a_chain_without_a_node_is_named(settings: Any) -> None:
    expect()
    settings.EVM_RPC_URLS = []
    found = told()
    assert (found["status"], found["withoutNode"]) == ("degraded", [BASE])
    assert "No node is configured for eip155:8453" in health.WORDS.speak(found)[0]


def test_what_is_unclear_degrades_and_what_is_late_alone_does_not() -> None:
    expect(), expect()
    look(paid(250))
    found = told()
    assert (found["status"], found["unclear"]) == ("degraded", 2)
    assert any("2 expected transfers are unclear" in one for one in health.WORDS.speak(found))
    Order.objects.update(state="EXPIRED")
    assert told(60)["status"] == "ok" and told(60)["awaited"] == 0


def test_a_trouble_is_told_of_the_chain_that_has_it() -> None:
    expect()
    look(paid())
    assert told()["troubled"] == []
    Cursor.objects.update(trouble="nodes differ")
    assert told()["troubled"] == [BASE]
