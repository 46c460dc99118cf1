"""A chain in memory, which grows, takes back, and is read as nodes are read."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from apps.access.paywall.clients.evm_node import TRANSFER, USED
from apps.payments.chain.clients.node_parser import Block, Log, Receipt, address_to_topic
from apps.payments.chain.rules.confirmation_depth import ChainHeads

SAFE, FINALIZED = 16, 24  # how many blocks the marks lie behind: more than the least depth


@dataclass
class Transaction:
    """One transfer; `nonce` is that of its authorization, if any."""

    tx_hash: str
    token: str
    payer: str
    payee: str
    units: int
    nonce: str = ""
    ok: bool = True


@dataclass
class Made:
    """A block with what it holds."""

    block: Block
    held: list[Transaction] = field(default_factory=list)


class FakeChain:
    """A chain; `blocks` are those that count now. It reads as reading.Reader."""

    def __init__(self, start: datetime) -> None:
        self.numbers = itertools.count(1)
        self.blocks = [Made(Block(0, _hash(next(self.numbers)), start))]
        self.finalized = 0
        self.clock = start

    def insist(self) -> None:
        """Be what it is."""

    def grow(self, *held: Transaction, blocks: int = 1, seconds: int = 2) -> None:
        """Add blocks, the first with transactions."""
        for place in range(blocks):
            last = self.blocks[-1].block
            self.clock += timedelta(seconds=seconds)  # which a chain does not take back
            block = Block(last.number + 1, _hash(next(self.numbers)), self.clock)
            self.blocks.append(Made(block, list(held) if place == 0 else []))
        self.finalized = max(self.finalized, self.heads().finalized)

    def take_back(self, depth: int) -> list[Transaction]:
        """Take back the newest blocks, but none that is finalized; return what they held."""
        least = max(1, self.finalized + 1)
        gone = self.blocks[max(least, len(self.blocks) - depth) :]
        del self.blocks[max(least, len(self.blocks) - depth) :]
        return [one for made in gone for one in made.held]

    def transaction(
        self, token: str, payer: str, payee: str, units: int, nonce: str
    ) -> Transaction:
        """Return a transaction that is in no block yet."""
        return Transaction(_hash(next(self.numbers)), token, payer, payee, units, nonce)

    def heads(self) -> ChainHeads:
        """Return the numbers of the newest, the safe and the finalized block."""
        latest = len(self.blocks) - 1
        return ChainHeads(latest, max(0, latest - SAFE), max(0, latest - FINALIZED))

    def block(self, number: int) -> Block | None:
        """Return a block by its number."""
        return self.blocks[number].block if 0 <= number < len(self.blocks) else None

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return what became of a transaction."""
        for block in self.blocks:
            index = 0
            for one in block.held:
                logs = _logs(one, block.block, index)
                if one.tx_hash == tx_hash:
                    at = block.block
                    return Receipt(tx_hash, one.ok, at.number, at.hash, tuple(logs))
                index += len(logs)
        return None

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        """Return the logs of contracts in a range of blocks."""
        found = set()
        for block in self.blocks[first : last + 1]:
            index = 0
            for one in block.held:
                logs = _logs(one, block.block, index)
                index += len(logs)
                found |= {log for log in logs if log.address in assets and _fits(log, topics)}
        return frozenset(found)

    def standing(self) -> dict[str, int]:
        """Return the transactions that are in a block now, with its number."""
        return {one.tx_hash: block.block.number for block in self.blocks for one in block.held}


def _fits(log: Log, topics: Sequence[Any]) -> bool:
    for said, wanted in zip(log.topics, topics, strict=False):
        if wanted is not None and said not in ([wanted] if isinstance(wanted, str) else wanted):
            return False
    return len(log.topics) >= len(topics)


def _logs(transaction: Transaction, block: Block, index: int) -> list[Log]:
    if not transaction.ok:
        return []
    log = Log(
        transaction.token,
        (TRANSFER, address_to_topic(transaction.payer), address_to_topic(transaction.payee)),
        f"0x{transaction.units:064x}",
        block.number,
        block.hash,
        transaction.tx_hash,
        index + bool(transaction.nonce),
    )
    if not transaction.nonce:
        return [log]
    used = replace(
        log,
        topics=(USED, address_to_topic(transaction.payer), transaction.nonce),
        data="0x",
        index=index,
    )
    return [used, log]


def _hash(number: int) -> str:
    return f"0x{number:064x}"
