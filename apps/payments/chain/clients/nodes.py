"""The nodes of a chain: each asked alone, and believed together."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.conf import settings

from apps.access.paywall.x402.networks import NETWORKS
from apps.payments.chain.assets import CHAINS, Chain
from apps.payments.chain.clients.node_parser import (
    Block,
    Log,
    MalformedAnswer,
    Receipt,
    parse_block,
    parse_logs,
    parse_number,
    parse_receipt,
)
from apps.payments.chain.rules.depth import ChainHeads
from apps.platform.upstreams.http import UpstreamError
from apps.platform.upstreams.jsonrpc import JsonRpc

T = TypeVar("T")
MOST_NODES = 2


class NodesDisagree(UpstreamError):
    """The nodes of a chain do not say the same: nothing of it counts."""


class ChainNode(JsonRpc):
    """One node of a chain; see reading.Reader."""

    largest = 8 * 1024 * 1024
    patience = 15.0

    def __init__(self, url: str, *, chain: Chain, place: int) -> None:
        self.base_url = url
        self.chain = chain
        self.name = f"chain-{chain.network}-{place}"

    def insist(self) -> None:
        """Raise UpstreamError unless it is a node of its chain."""
        if parse_number(self.call("eth_chainId")) != self.chain.chain_id:
            raise UpstreamError(f"{self.name}: it is a node of another chain", permanent=True)

    def heads(self) -> ChainHeads:
        """Return the numbers of the newest, the safe and the finalized block."""
        latest = parse_block(self.call("eth_getBlockByNumber", "latest", False))
        if latest is None:
            raise MalformedAnswer("newest block")
        return ChainHeads(latest.number, self._marked("safe"), self._marked("finalized"))

    def _marked(self, mark: str) -> int:
        """Return the number of a block that the node marks, 0 where it knows no such mark."""
        try:
            block = parse_block(self.call("eth_getBlockByNumber", mark, False))
        except UpstreamError as error:
            if error.permanent:
                return 0
            raise
        return block.number if block else 0

    def block(self, number: int) -> Block | None:
        """Return a block by its number, None where there is none."""
        return parse_block(self.call("eth_getBlockByNumber", hex(number), False))

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        """Return the logs of contracts in a range of blocks, both ends counted."""
        asked = {
            "address": list(assets),
            "fromBlock": hex(first),
            "toBlock": hex(last),
            "topics": list(topics),
        }
        return parse_logs(self.call("eth_getLogs", asked))

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return what became of a transaction, None for one that is in no block."""
        return parse_receipt(self.call("eth_getTransactionReceipt", tx_hash), asked=tx_hash)


class NodeGroup:
    """Nodes of one chain, read as one: what they do not all say is said by nobody.

    Ahead of the one that lags nothing is there yet. Raises NodesDisagree for blocks, receipts and
    logs that differ.
    """

    def __init__(self, nodes: Sequence[ChainNode]) -> None:
        self.nodes = tuple(nodes)
        self._latest = 0

    def insist(self) -> None:
        """Raise UpstreamError unless each is a node of the chain."""
        for node in self.nodes:
            node.insist()

    def heads(self) -> ChainHeads:
        """Return the lowest of each number."""
        said = [node.heads() for node in self.nodes]
        self._latest = min(one.latest for one in said)
        return ChainHeads(
            self._latest,
            min(one.safe for one in said),
            min(one.finalized for one in said),
        )

    def block(self, number: int) -> Block | None:
        """Return a block that all have."""
        return self._same("a block", lambda one: one.block(number))

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        """Return logs that all have."""
        return self._same(
            "events", lambda one: one.logs(first=first, last=last, assets=assets, topics=topics)
        )

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return what all say became of a transaction."""

        def ask(one: ChainNode) -> Receipt | None:
            found = one.receipt(tx_hash)
            return found if found and found.block <= self._latest else None

        return self._same("a receipt", ask)

    def _same(self, what: str, ask: Callable[[ChainNode], T]) -> T:
        first, *others = [ask(node) for node in self.nodes]
        for place, one in enumerate(others, start=2):
            if one != first:
                told = (
                    f"the first says {_describe_answer(first)}, number {place} "
                    f"{_describe_answer(one)}"
                )
                raise NodesDisagree(f"{self.nodes[0].chain.title}: nodes differ in {what}: {told}")
        return first


def _describe_answer(said: object) -> str:
    """Return what a node said, as far as a line has place for it."""
    match said:
        case None:
            return "that there is none"
        case Block():
            return f"block {said.number} is {said.hash[:18]}"
        case Receipt():
            word = "passed" if said.ok else "failed"
            return f"it {word} in block {said.block} with {len(said.logs)} events"
        case frozenset():
            return f"there are {len(said)} events"
    return "something else"


def node_urls(chain: Chain) -> list[str]:
    """Return the addresses of a chain's nodes, as EVM_RPC_URL names them."""
    found, own = [], NETWORKS[settings.X402_NETWORK].caip2
    for text in settings.EVM_RPC_URLS:
        name, separator, url = text.partition("=")
        named = name if separator and name in CHAINS else own
        if named == chain.caip2:
            found.append(url if separator and name in CHAINS else text)
    return found[:MOST_NODES]


def connect_nodes(chain: Chain) -> NodeGroup | None:
    """Return the nodes of a chain, None where the operator names none."""
    urls = node_urls(chain)
    if not urls:
        return None
    chain_nodes = [
        ChainNode(url, chain=chain, place=place) for place, url in enumerate(urls, start=1)
    ]
    return NodeGroup(chain_nodes)
