"""The nodes of a chain: each is queried separately, and their answers must agree."""

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
from apps.payments.chain.rules.confirmation_depth import ChainHeads
from apps.platform.upstreams.http import UpstreamError
from apps.platform.upstreams.jsonrpc import JsonRpc

T = TypeVar("T")
# nodes that must agree; further addresses are ignored
MOST_NODES = 2


class NodesDisagree(UpstreamError):
    """The nodes of a chain disagree: no answer counts."""


class ChainNode(JsonRpc):
    """One node of a chain; see `node_parser.ChainReader`."""

    # bytes and seconds of an answer; beyond, a smaller range of blocks is asked for
    largest = 8 * 1024 * 1024
    patience = 15.0

    def __init__(self, url: str, *, chain: Chain, place: int) -> None:
        self.base_url = url
        self.chain = chain
        self.name = f"chain-{chain.network}-{place}"

    def insist(self) -> None:
        """Raise UpstreamError unless the node belongs to its chain."""
        if parse_number(self.call("eth_chainId")) != self.chain.chain_id:
            raise UpstreamError(f"{self.name}: it is a node of another chain", permanent=True)

    def heads(self) -> ChainHeads:
        """Return the numbers of the newest, the safe and the finalized block."""
        latest = parse_block(self.call("eth_getBlockByNumber", "latest", False))
        if latest is None:
            raise MalformedAnswer("newest block")
        return ChainHeads(latest.number, self._marked("safe"), self._marked("finalized"))

    def _marked(self, mark: str) -> int:
        """Return the number of a block that the node marks, 0 if it does not know the mark."""
        try:
            block = parse_block(self.call("eth_getBlockByNumber", mark, False))
        except UpstreamError as error:
            # unknown to older nodes: then nothing is safe or final by that mark
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
        filters = {
            "address": list(assets),
            "fromBlock": hex(first),
            "toBlock": hex(last),
            "topics": list(topics),
        }
        return parse_logs(self.call("eth_getLogs", filters))

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return what became of a transaction, None for one that is in no block."""
        return parse_receipt(self.call("eth_getTransactionReceipt", tx_hash), asked=tx_hash)


class NodeGroup:
    """Nodes of one chain, read as one: only answers that they all give count.

    Blocks beyond the slowest node do not exist yet. Raises NodesDisagree for blocks, receipts and
    logs that differ.
    """

    def __init__(self, nodes: Sequence[ChainNode]) -> None:
        self.nodes = tuple(nodes)
        self._latest = 0

    def insist(self) -> None:
        """Raise UpstreamError unless each node belongs to the chain."""
        for node in self.nodes:
            node.insist()

    def heads(self) -> ChainHeads:
        """Return the lowest of each number."""
        answers = [node.heads() for node in self.nodes]
        # a block that only one node has yet is no disagreement: it does not exist for the group
        self._latest = min(chain_heads.latest for chain_heads in answers)
        return ChainHeads(
            self._latest,
            min(chain_heads.safe for chain_heads in answers),
            min(chain_heads.finalized for chain_heads in answers),
        )

    def block(self, number: int) -> Block | None:
        """Return a block that all have."""
        return self._same("a block", lambda node: node.block(number))

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        """Return logs that all have."""
        return self._same(
            "events", lambda node: node.logs(first=first, last=last, assets=assets, topics=topics)
        )

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return the result of a transaction on which all agree."""

        def ask(chain_node: ChainNode) -> Receipt | None:
            answered_receipt = chain_node.receipt(tx_hash)
            return (
                answered_receipt
                # a receipt beyond the slowest node would differ from its `none`
                if answered_receipt and answered_receipt.block <= self._latest
                else None
            )

        return self._same("a receipt", ask)

    def _same(self, what: str, ask: Callable[[ChainNode], T]) -> T:
        first, *others = [ask(node) for node in self.nodes]
        for place, answer in enumerate(others, start=2):
            if answer != first:
                text = (
                    f"the first says {_describe_answer(first)}, number {place} "
                    f"{_describe_answer(answer)}"
                )
                raise NodesDisagree(f"{self.nodes[0].chain.title}: nodes differ in {what}: {text}")
        return first


def _describe_answer(answer: object) -> str:
    """Shorten a node's answer for a line of the log."""
    match answer:
        case None:
            return "that there is none"
        case Block():
            return f"block {answer.number} is {answer.hash[:18]}"
        case Receipt():
            word = "passed" if answer.ok else "failed"
            return f"it {word} in block {answer.block} with {len(answer.logs)} events"
        case frozenset():
            return f"there are {len(answer)} events"
    return "something else"


def node_urls(chain: Chain) -> list[str]:
    """Return the addresses of a chain's nodes, as EVM_RPC_URL names them."""
    # `eip155:1=https://…` names its chain; an address alone belongs to the network of payments by
    # x402
    urls, own = [], NETWORKS[settings.X402_NETWORK].caip2
    for text in settings.EVM_RPC_URLS:
        name, separator, url = text.partition("=")
        named = name if separator and name in CHAINS else own
        if named == chain.caip2:
            urls.append(url if separator and name in CHAINS else text)
    return urls[:MOST_NODES]


def connect_nodes(chain: Chain) -> NodeGroup | None:
    """Return the nodes of a chain, None if the operator configured none."""
    urls = node_urls(chain)
    if not urls:
        return None
    chain_nodes = [
        ChainNode(url, chain=chain, place=place) for place, url in enumerate(urls, start=1)
    ]
    return NodeGroup(chain_nodes)
