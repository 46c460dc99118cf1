"""Parse nodes' answers into one form: nodes write numbers and addresses in different ways.

Anything malformed raises `MalformedAnswer`: nothing is concluded from a part of an answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from apps.access.paywall.clients.evm_node import TRANSFER, USED
from apps.payments.chain.rules.confirmation_depth import ChainHeads
from apps.platform.upstreams.http import UpstreamError

_HEX = re.compile(r"0x[0-9a-f]*")
WORD = 64  # hexadecimal digits of 32 bytes
# the greatest values that the columns of block numbers and of places in a block hold
LARGEST_BLOCK_NUMBER = 2**63 - 1
MOST_LOGS = 2**31 - 1


class MalformedAnswer(UpstreamError):
    """A node's answer is no valid block, receipt or log."""

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
    """The result of a transaction: `ok` unless it reverted."""

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
    """The interface for reading a chain; every method raises UpstreamError if it cannot answer."""

    def heads(self) -> ChainHeads:
        """Return the numbers of the newest, the safe and the finalized block."""
        ...

    def block(self, number: int) -> Block | None:
        """Return a block by its number, None if there is none."""
        ...

    def logs(
        self, *, first: int, last: int, assets: Sequence[str], topics: Sequence[Any]
    ) -> frozenset[Log]:
        """Return the logs of contracts in a range of blocks, both ends included."""
        ...

    def receipt(self, tx_hash: str) -> Receipt | None:
        """Return the result of a transaction, None if it is in no block."""
        ...


def parse_transfers(receipt: Receipt) -> list[TokenTransfer]:
    """Return the token transfers of a receipt that did not revert, in order.

    The nonce of an authorization belongs to the next transfer of the same token from the
    authorizer, if there is no other transfer of that token in between.
    """
    token_transfers: list[TokenTransfer] = []
    used: dict[str, tuple[str, str]] = {}
    for log in sorted(receipt.logs, key=lambda log_entry: log_entry.index) if receipt.ok else ():
        kind = log.topics[0] if log.topics else ""
        if kind == USED and len(log.topics) == 3:
            # EIP-3009: AuthorizationUsed comes right before the Transfer that it authorizes
            used[log.address] = (topic_to_address(log.topics[1]), log.topics[2])
        # an ERC-721 Transfer has the same signature and four topics: it is none of a token's amount
        elif kind == TRANSFER and len(log.topics) == 3 and len(log.data) == 2 + WORD:
            payer = topic_to_address(log.topics[1])
            # popped by any transfer of the token: a nonce never belongs to a later one
            by, nonce = used.pop(log.address, ("", ""))
            token_transfers.append(
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
    return token_transfers


def address_to_topic(address: str) -> str:
    """Return an address in the form of a topic."""
    return "0x" + address[2:].lower().rjust(WORD, "0")


def topic_to_address(topic: str) -> str:
    """Return the address in a topic, in small letters."""
    return "0x" + topic[-40:]


def parse_number(number: Any, *, largest: int = LARGEST_BLOCK_NUMBER) -> int:
    """Parse a JSON-RPC number; MalformedAnswer for anything else, and for a number too large."""
    if (
        not isinstance(number, str)
        # 16 digits are 64 bits: no block, time or place in a block needs more
        or not 2 < len(number) <= 2 + 16
        or not _HEX.fullmatch(number.lower())
    ):
        raise MalformedAnswer("number")
    value = int(number, 16)
    if value > largest:
        raise MalformedAnswer("number")
    return value


def parse_hash(said: Any) -> str:
    """Return 32 bytes in hexadecimal digits; MalformedAnswer for anything else."""
    if not isinstance(said, str) or len(said) != 2 + WORD or not _HEX.fullmatch(said.lower()):
        raise MalformedAnswer("hash")
    return said.lower()


def parse_block(block: Any) -> Block | None:
    """Parse a node's block; None if it says that there is none."""
    if block is None:
        return None
    if not isinstance(block, dict):
        raise MalformedAnswer("block")
    try:
        at = datetime.fromtimestamp(parse_number(block.get("timestamp")), UTC)
    # a year that Python's datetime does not have
    except (OverflowError, ValueError, OSError):
        raise MalformedAnswer("time of a block") from None
    return Block(parse_number(block.get("number")), parse_hash(block.get("hash")), at)


def parse_log(log: Any) -> Log | None:
    """Parse a node's log; None for one that it calls removed."""
    if not isinstance(log, dict):
        raise MalformedAnswer("log")
    # by the JSON-RPC specification: its block is no longer part of the chain
    if log.get("removed") is True:
        return None
    topics, data, address = log.get("topics"), log.get("data"), log.get("address")
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
        block=parse_number(log.get("blockNumber")),
        block_hash=parse_hash(log.get("blockHash")),
        tx_hash=parse_hash(log.get("transactionHash")),
        index=parse_number(log.get("logIndex"), largest=MOST_LOGS),
    )


def parse_logs(said: Any) -> frozenset[Log]:
    """Return the logs that a node reported, without duplicates."""
    if not isinstance(said, list):
        raise MalformedAnswer("list of logs")
    return frozenset(log for log in map(parse_log, said) if log is not None)


def parse_receipt(receipt: Any, *, asked: str) -> Receipt | None:
    """Parse a node's receipt, None for a transaction that is in no block yet.

    Raises MalformedAnswer for another transaction's receipt, and for logs of another one.
    """
    # some nodes answer a pending transaction with a receipt without a block
    if receipt is None or (isinstance(receipt, dict) and receipt.get("blockHash") is None):
        return None
    if not isinstance(receipt, dict) or parse_hash(receipt.get("transactionHash")) != asked:
        raise MalformedAnswer("receipt")
    block, of = parse_number(receipt.get("blockNumber")), parse_hash(receipt.get("blockHash"))
    logs = parse_logs(receipt.get("logs"))
    if any((log.tx_hash, log.block, log.block_hash) != (asked, block, of) for log in logs):
        raise MalformedAnswer("receipt with logs of its own")
    # EIP-658
    status = parse_number(receipt.get("status"))
    if status not in (0, 1):
        raise MalformedAnswer("status")
    return Receipt(asked, status == 1, block, of, tuple(sorted(logs, key=lambda log: log.index)))
