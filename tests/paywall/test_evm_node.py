"""What a node says of a payment whose outcome is unknown; the node is a script on loopback."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.access.paywall.clients.evm_node import CANCELED, TRANSFER, USED, EvmNode
from apps.access.paywall.models import PaymentClaim, State
from apps.access.paywall.x402.facilitators import SettlementOutcome
from apps.platform.upstreams.http import UpstreamError
from tests.paywall.facilitator_server import facilitating
from tests.paywall.payer import ALICE, BOB

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ASSET = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"
HASH, NONCE = "0x" + "ab" * 32, "0x" + "cd" * 32


def word(address: str) -> str:
    return "0x" + address[2:].lower().rjust(64, "0")


def claim() -> PaymentClaim:
    return PaymentClaim(
        pk=1, chain_id=8453, asset=ASSET, payer=ALICE.address.lower(), nonce=NONCE, version=2,
        pay_to=BOB.address.lower(), amount=Decimal("0.01"), resource="screen",
        state=State.UNKNOWN, claimed_at=NOW, lease_until=NOW,
        valid_before=NOW + timedelta(minutes=2),
    )  # fmt: skip


class Chain:
    """A chain of one payment; tests change what it says."""

    def __init__(self) -> None:
        self.id, self.used, self.at = 8453, True, NOW
        self.event = USED
        self.transfer = {
            "address": ASSET,
            "topics": [TRANSFER, word(ALICE.address), word(BOB.address)],
            "data": hex(10_000),
        }
        self.status = "0x1"
        self.searched: list[tuple[int, int]] = []

    def __call__(self, _: str, call: dict[str, Any]) -> tuple[int, Any]:
        return 200, {"jsonrpc": "2.0", "id": 1, "result": self.result(call)}

    def result(self, call: dict[str, Any]) -> Any:
        method = call["method"]
        if method == "eth_chainId":
            return hex(self.id)
        if method == "eth_getBlockByNumber":
            return {"number": hex(20_000), "timestamp": hex(int(self.at.timestamp()))}
        if method == "eth_call":
            assert call["params"][0]["data"].endswith(NONCE[2:])
            return hex(int(self.used)) if self.used else "0x" + "0" * 64
        if method == "eth_getLogs":
            param = call["params"][0]
            self.searched.append((int(param["fromBlock"], 16), int(param["toBlock"], 16)))
            found = {"topics": [self.event, word(ALICE.address), NONCE], "transactionHash": HASH}
            return [found] if int(param["toBlock"], 16) == 20_000 else []
        return {"status": self.status, "logs": [self.transfer]}


@pytest.fixture
def chain() -> Iterator[Any]:
    found = Chain()
    with facilitating(found) as served:
        yield found, EvmNode(served.url)


def test_a_used_authorization_that_moved_the_money_is_settled(chain: Any) -> None:
    _, node = chain
    found = node.fate(claim=claim(), now=NOW)
    assert (found.outcome, found.transaction) == (SettlementOutcome.SETTLED, HASH)


@pytest.mark.parametrize(
    "changes",
    [{"data": hex(9_999)}, {"address": BOB.address}, {"topics": [TRANSFER, word(BOB.address)] * 1}],
)
def test_another_transfer_is_no_proof(chain: Any, changes: Any) -> None:
    said, node = chain
    said.transfer |= changes
    assert node.fate(claim=claim(), now=NOW).outcome is SettlementOutcome.UNKNOWN


def test_a_transaction_that_reverted_is_no_proof(chain: Any) -> None:
    said, node = chain
    said.status = "0x0"
    assert node.fate(claim=claim(), now=NOW).outcome is SettlementOutcome.UNKNOWN


def test_a_cancelled_authorization_failed(chain: Any) -> None:
    said, node = chain
    said.event = CANCELED
    found = node.fate(claim=claim(), now=NOW)
    assert (found.outcome, found.reason) == (SettlementOutcome.FAILED, "authorization_canceled")


@pytest.mark.parametrize(("minutes", "outcome"), [(2, "UNKNOWN"), (4, "UNKNOWN"), (5, "FAILED")])
def test_an_unused_one_failed_once_the_chain_is_past_its_end(
    chain: Any, minutes: int, outcome: str
) -> None:
    said, node = chain
    said.used, said.at = False, NOW + timedelta(minutes=minutes)
    assert node.fate(claim=claim(), now=NOW).outcome == outcome


def test_the_search_goes_back_to_the_claim_in_steps_that_nodes_allow(chain: Any) -> None:
    said, node = chain
    node.fate(claim=claim(), now=NOW + timedelta(seconds=15_000))
    assert said.searched[0][0] == 20_000 - 15_000 - 300
    assert all(last - first <= 9_000 for first, last in said.searched)
    assert len(said.searched) == 2


def test_a_node_of_another_chain_is_not_believed(chain: Any) -> None:
    said, node = chain
    said.id = 1
    with pytest.raises(UpstreamError, match="another chain"):
        node.fate(claim=claim(), now=NOW)
