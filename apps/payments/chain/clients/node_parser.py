"""What is read of a chain, and its one form: nodes write numbers and addresses as they like.

Whatever is not as it must be is `MalformedAnswer`: nothing is concluded from a part of an answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from apps.access.paywall.clients.evm_node import TRANSFER, USED
from apps.payments.chain.rules.depth import ChainHeads
from apps.platform.upstreams.http import UpstreamError

_HEX = re.compile(r"0x[0-9a-f]*")
WORD = 64
LARGEST_BLOCK_NUMBER = 2**63 - 1  # what a column of a block's number holds
MOST_LOGS = 2**31 - 1  # and that of a place in a block


class MalformedAnswer(UpstreamError):
    """A node answered something that is no block, receipt or log."""

    def __init__(self, what: str) -> None:
        super().__init__(f"a node answered no {what}")


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the chain as it is now."""

    number: int
    hash: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Log:
    """One event of a contract; addresses and hashes in small letters."""

    address: str
    topics: tuple[str, ...]
    data: str
    block: int
    block_hash: str
    tx_hash: str
    index: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a transaction: `ok` unless it reverted."""

    tx_hash: str
    ok: bool
    block: int
    block_hash: str
    logs: tuple[Log, ...]


@dataclass(frozen=True, slots=True)
class TokenTransfer:
    """A transfer of a token; `reference` is the nonce of the authorization by which it came."""

    asset: str
    payer: str
    payee: str
    units: int
    reference: str
    tx_hash: str
    index: int
    block: int
    block_hash: str


class ChainReader(Protocol):
    """A chain that is read; every method raises UpstreamError where nobody can tell."""

    def heads(self) -> ChainHeads:
        """Return the numbers of the newest, the safe and the finalized block."""
        ...

    def block(self, number: int) -> Block | None:
        """Return a block by its number, None where there is none."""
        ...

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        """Return the logs of contracts in a range of blocks, both ends counted."""
        ...

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return what became of a transaction, None for one that is in no block."""
        ...


def parse_transfers(receipt: Receipt) -> list[TokenTransfer]:
    """Return the transfers of tokens in a receipt that did not revert, in their order.

    The nonce of an authorization belongs to the transfer that follows it: of the same token, from
    whom it authorizes, and with no other transfer of that token in between.
    """
    found: list[TokenTransfer] = []
    used: dict[str, tuple[str, str]] = {}
    for log in sorted(receipt.logs, key=lambda one: one.index) if receipt.ok else ():
        kind = log.topics[0] if log.topics else ""
        if kind == USED and len(log.topics) == 3:
            used[log.address] = (topic_to_address(log.topics[1]), log.topics[2])
        elif kind == TRANSFER and len(log.topics) == 3 and len(log.data) == 2 + WORD:
            payer = topic_to_address(log.topics[1])
            by, nonce = used.pop(log.address, ("", ""))
            found.append(
                TokenTransfer(
                    asset=log.address,
                    payer=payer,
                    payee=topic_to_address(log.topics[2]),
                    units=int(log.data, 16),
                    reference=nonce if by == payer else "",
                    tx_hash=log.tx_hash,
                    index=log.index,
                    block=log.block,
                    block_hash=log.block_hash,
                )
            )
    return found


def address_to_topic(address: str) -> str:
    """Return an address as a topic has it."""
    return "0x" + address[2:].lower().rjust(WORD, "0")


def topic_to_address(topic: str) -> str:
    """Return the address in a topic, in small letters."""
    return "0x" + topic[-40:]


def parse_number(said: Any, *, largest: int = LARGEST_BLOCK_NUMBER) -> int:
    """Return a number as JSON-RPC writes it; MalformedAnswer for anything else, and for larger
    ones.
    """
    if not isinstance(said, str) or not 2 < len(said) <= 2 + 16 or not _HEX.fullmatch(said.lower()):
        raise MalformedAnswer("number")
    found = int(said, 16)
    if found > largest:
        raise MalformedAnswer("number")
    return found


def parse_hash(said: Any) -> str:
    """Return 32 bytes in hexadecimal digits; MalformedAnswer for anything else."""
    if not isinstance(said, str) or len(said) != 2 + WORD or not _HEX.fullmatch(said.lower()):
        raise MalformedAnswer("hash")
    return said.lower()


def parse_block(said: Any) -> Block | None:
    """Return a block as a node told it; None where it told that there is none."""
    if said is None:
        return None
    if not isinstance(said, dict):
        raise MalformedAnswer("block")
    try:
        at = datetime.fromtimestamp(parse_number(said.get("timestamp")), UTC)
    except (OverflowError, ValueError, OSError):
        raise MalformedAnswer("time of a block") from None
    return Block(parse_number(said.get("number")), parse_hash(said.get("hash")), at)


def parse_log(said: Any) -> Log | None:
    """Return a log as a node told it; None for one that it calls removed."""
    if not isinstance(said, dict):
        raise MalformedAnswer("log")
    if said.get("removed") is True:
        return None
    topics, data, address = said.get("topics"), said.get("data"), said.get("address")
    if not isinstance(topics, list) or len(topics) > 4:
        raise MalformedAnswer("topics")
    if not isinstance(data, str) or not _HEX.fullmatch(data.lower()):
        raise MalformedAnswer("data")
    if not isinstance(address, str) or not re.fullmatch(r"0x[0-9a-fA-F]{40}", address):
        raise MalformedAnswer("address")
    return Log(
        address=address.lower(),
        topics=tuple(parse_hash(topic) for topic in topics),
        data=data.lower(),
        block=parse_number(said.get("blockNumber")),
        block_hash=parse_hash(said.get("blockHash")),
        tx_hash=parse_hash(said.get("transactionHash")),
        index=parse_number(said.get("logIndex"), largest=MOST_LOGS),
    )


def parse_logs(said: Any) -> frozenset[Log]:
    """Return logs as a node told them; one that it told twice is one."""
    if not isinstance(said, list):
        raise MalformedAnswer("list of logs")
    return frozenset(one for one in map(parse_log, said) if one is not None)


def parse_receipt(said: Any, *, asked: str) -> Receipt | None:
    """Return a receipt as a node told it, None for a transaction that is in no block yet.

    Malformed for another transaction's, and for logs of another one.
    """
    if said is None or (isinstance(said, dict) and said.get("blockHash") is None):
        return None
    if not isinstance(said, dict) or parse_hash(said.get("transactionHash")) != asked:
        raise MalformedAnswer("receipt")
    block, of = parse_number(said.get("blockNumber")), parse_hash(said.get("blockHash"))
    logs = parse_logs(said.get("logs"))
    if any((log.tx_hash, log.block, log.block_hash) != (asked, block, of) for log in logs):
        raise MalformedAnswer("receipt with logs of its own")
    status = parse_number(said.get("status"))
    if status not in (0, 1):
        raise MalformedAnswer("status")
    return Receipt(asked, status == 1, block, of, tuple(sorted(logs, key=lambda log: log.index)))
