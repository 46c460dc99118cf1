"""Nodes that are away, slow, cut off, or lie: nothing counts that they do not all say in full."""

import uuid
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from apps.payments.chain import expected_transfers
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients import nodes
from apps.payments.chain.models import Transfer
from apps.platform.upstreams.models import UpstreamState
from tests.chain.conftest import Local, cursor
from tests.chain.fault_proxy import FaultProxy, Refused, faulty
from tests.chain.sample_orders import BASE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def second(local: Local, settings: Any) -> Iterator[FaultProxy]:
    """A second node of the chain, which tests make lie."""
    with faulty(local.url) as proxy:
        settings.EVM_RPC_URLS = [local.url, proxy.url]
        yield proxy


@pytest.fixture
def only(local: Local, settings: Any) -> Iterator[FaultProxy]:
    """The one node of the chain, behind a network that fails."""
    with faulty(local.url) as proxy:
        settings.EVM_RPC_URLS = [proxy.url]
        yield proxy


def state(order_id: uuid.UUID) -> str:
    return expected_transfers.load_transfer_status(order_id).state


@pytest.mark.parametrize("mood", ["reset", "half-close", "truncate", "delay"])
def test_an_answer_that_does_not_come_whole_settles_nothing_and_loses_nothing(
    local: Local, order: Any, only: FaultProxy, mood: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(nodes.ChainNode, "patience", 1.0)
    wanted = order()
    local.look()
    local.pay()
    local.mine(20)
    only.mood = mood
    local.look()
    assert state(wanted) == "OPEN" and cursor().trouble and cursor().troubled_at
    only.mood = ""
    local.look()
    assert state(wanted) == "FINAL" and not cursor().trouble


def test_an_answer_that_comes_twice_counts_once(local: Local, order: Any, only: FaultProxy) -> None:
    wanted = order()
    local.pay()
    local.mine(20)
    only.mood = "duplicate"
    local.look()
    local.look()
    assert state(wanted) == "FINAL" and Transfer.objects.count() == 1


def test_a_node_that_is_away_for_long_is_left_alone_and_then_caught_up_with(
    local: Local, order: Any, only: FaultProxy
) -> None:
    wanted = order()
    local.pay()
    local.mine(20)
    only.mood = "reset"
    for _ in range(6):
        local.look()
    calls = only.calls
    local.look()
    assert only.calls == calls  # the breaker is open
    only.mood = ""
    UpstreamState.objects.all().delete()
    local.look()
    assert state(wanted) == "FINAL"


def test_two_nodes_that_agree_are_believed(local: Local, order: Any, second: FaultProxy) -> None:
    wanted = order()
    local.pay()
    local.mine(20)
    local.look()
    assert state(wanted) == "FINAL" and second.calls


def doubled(asked: dict[str, Any], said: Any) -> Any:
    """Tell of transfers of twice the amount."""
    if asked["method"] == "eth_getTransactionReceipt" and said:
        said["logs"] = [
            log | {"data": f"0x{int(log['data'], 16) * 2:064x}"} for log in said["logs"]
        ]
    return said


def silent(asked: dict[str, Any], said: Any) -> Any:
    """Tell of no transfer."""
    return [] if asked["method"] == "eth_getLogs" else said


def forked(asked: dict[str, Any], said: Any) -> Any:
    """Tell of other blocks."""
    if asked["method"] == "eth_getBlockByNumber" and said and asked["params"][0].startswith("0x"):
        said["hash"] = "0x" + "11" * 32
    return said


def passed(asked: dict[str, Any], said: Any) -> Any:
    """Tell that what reverted went well."""
    if asked["method"] == "eth_getTransactionReceipt" and said:
        said["status"] = "0x1" if said["status"] == "0x0" else "0x0"
    return said


def elsewhere(asked: dict[str, Any], said: Any) -> Any:
    """Be a node of another chain."""
    return "0x1" if asked["method"] == "eth_chainId" else said


@pytest.mark.parametrize("lie", [doubled, silent, forked, passed, elsewhere])
def test_a_node_that_says_otherwise_than_the_other_confirms_nothing(
    local: Local, order: Any, second: FaultProxy, lie: Any
) -> None:
    wanted = order()
    local.look()
    local.pay()
    local.mine(20)
    second.lies = lie
    local.look()
    assert state(wanted) == "OPEN" and cursor().trouble
    second.lies = lambda _, said: said
    local.look()
    assert state(wanted) == "FINAL"


def test_a_node_that_invents_a_transfer_settles_nothing(
    local: Local, order: Any, second: FaultProxy
) -> None:
    """The order's transfer went to another token's contract; one node says it was the right one."""
    wanted = order()
    local.look()
    local.pay("200")
    local.mine(20)

    def invents(asked: dict[str, Any], said: Any) -> Any:
        if asked["method"] in ("eth_getLogs", "eth_getTransactionReceipt") and said:
            logs = said if isinstance(said, list) else said["logs"]
            for log in logs:
                log["data"] = f"0x{250_000_000:064x}"
        return said

    second.lies = invents
    local.look()
    assert state(wanted) == "OPEN" and not Transfer.objects.exists()


def test_what_a_lagging_node_does_not_have_yet_is_waited_for(
    local: Local, order: Any, second: FaultProxy
) -> None:
    wanted = order()
    local.pay()
    local.mine(20)

    def lags(asked: dict[str, Any], said: Any) -> Any:
        newest = asked["params"][:1] == ["latest"] and asked["method"] == "eth_getBlockByNumber"
        return local.rpc("eth_getBlockByNumber", hex(int(said["number"], 16) - 15), False) if (
            newest
        ) else said  # fmt: skip

    second.lies = lags
    local.look()
    assert (state(wanted), expected_transfers.load_transfer_status(wanted).confirmations) == (
        "CONFIRMING",
        6,
    )
    second.lies = lambda _, said: said
    local.look()
    assert state(wanted) == "FINAL"


def test_a_node_that_refuses_wide_ranges_is_asked_for_narrow_ones(
    local: Local, order: Any, only: FaultProxy
) -> None:
    wanted = order()
    local.mine(300)
    local.pay()
    local.mine(300)
    widths: list[int] = []

    def narrow(asked: dict[str, Any], said: Any) -> Any:
        if asked["method"] == "eth_getLogs":
            last, first = (int(asked["params"][0][one], 16) for one in ("toBlock", "fromBlock"))
            widths.append(last - first + 1)
            if widths[-1] > 100:
                raise Refused("range too wide")
        return said

    only.lies = narrow
    local.look()
    assert state(wanted) == "FINAL" and not cursor().trouble
    assert widths[0] > 600
    for before, one in pairwise(widths):
        # half of what was refused; after what was taken (asked twice) no more than twice as much
        assert one == before // 2 if before > 100 else one <= before * 2
    assert cursor().block == cursor().latest


def test_a_node_that_refuses_a_single_block_is_a_trouble_of_its_chain(
    local: Local, order: Any, only: FaultProxy
) -> None:
    wanted = order()
    local.pay()
    local.mine(20)

    def never(asked: dict[str, Any], said: Any) -> Any:
        if asked["method"] == "eth_getLogs":
            raise Refused("not today")
        return said

    only.lies = never
    local.look()
    assert "eth_getLogs was refused" in cursor().trouble and state(wanted) == "OPEN"
    only.lies = lambda _, said: said
    local.look()
    assert state(wanted) == "FINAL" and not cursor().trouble


def test_a_range_that_times_out_is_asked_for_by_half_at_the_next_look(
    local: Local, order: Any, only: FaultProxy, monkeypatch: Any
) -> None:
    wanted = order()
    local.look()
    span = cursor().span
    local.pay()
    local.mine(300)

    def garbled(asked: dict[str, Any], said: Any) -> Any:
        return "cut off" if asked["method"] == "eth_getLogs" else said

    only.lies = garbled
    spans = []
    for _ in range(3):
        local.look()
        spans.append(cursor().span)
    assert spans[0] < 321 <= span and spans[1:] == [spans[0] // 2, spans[0] // 4]
    only.lies = lambda _, said: said
    local.look()
    assert state(wanted) == "FINAL"


def test_each_chain_has_the_nodes_that_are_named_for_it(settings: Any) -> None:
    settings.EVM_RPC_URLS = ["https://a", "eip155:1=https://b/?key=1", "https://c", "https://d"]
    settings.X402_NETWORK = "base"
    assert nodes.node_urls(CHAINS[BASE]) == ["https://a", "https://c"]
    assert nodes.node_urls(CHAINS["eip155:1"]) == ["https://b/?key=1"]
    assert nodes.node_urls(CHAINS["eip155:84532"]) == []
    assert nodes.connect_nodes(CHAINS["eip155:84532"]) is None
