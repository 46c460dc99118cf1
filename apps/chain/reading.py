"""What is read of a chain, and its one form: nodes write numbers and addresses as they like.

Whatever is not as it must be is `Malformed`: nothing is concluded from a part of an answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from apps.chain.rules.depth import Heads
from apps.paywall.chain import TRANSFER, USED
from apps.upstreams.http import UpstreamError

_HEX = re.compile(r"0x[0-9a-f]*")
WORD = 64
LARGEST = 2**63 - 1  # what a column of a block's number holds
MOST_LOGS = 2**31 - 1  # and that of a place in a block


class Malformed(UpstreamError):
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
class Moved:
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


class Reader(Protocol):
    """A chain that is read; every method raises UpstreamError where nobody can tell."""

    def heads(self) -> Heads:
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


def transfers(receipt: Receipt) -> list[Moved]:
    """Return the transfers of tokens in a receipt that did not revert, in their order.

    The nonce of an authorization belongs to the transfer that follows it: of the same token, from
    whom it authorizes, and with no other transfer of that token in between.
    """
    found: list[Moved] = []
    used: dict[str, tuple[str, str]] = {}
    for log in sorted(receipt.logs, key=lambda one: one.index) if receipt.ok else ():
        kind = log.topics[0] if log.topics else ""
        if kind == USED and len(log.topics) == 3:
            used[log.address] = (address_of(log.topics[1]), log.topics[2])
        elif kind == TRANSFER and len(log.topics) == 3 and len(log.data) == 2 + WORD:
            payer = address_of(log.topics[1])
            by, nonce = used.pop(log.address, ("", ""))
            found.append(
                Moved(
                    asset=log.address,
                    payer=payer,
                    payee=address_of(log.topics[2]),
                    units=int(log.data, 16),
                    reference=nonce if by == payer else "",
                    tx_hash=log.tx_hash,
                    index=log.index,
                    block=log.block,
                    block_hash=log.block_hash,
                )
            )
    return found


def word(address: str) -> str:
    """Return an address as a topic has it."""
    return "0x" + address[2:].lower().rjust(WORD, "0")


def address_of(topic: str) -> str:
    """Return the address in a topic, in small letters."""
    return "0x" + topic[-40:]


def number_of(said: Any, *, largest: int = LARGEST) -> int:
    """Return a number as JSON-RPC writes it; Malformed for anything else, and for larger ones."""
    if not isinstance(said, str) or not 2 < len(said) <= 2 + 16 or not _HEX.fullmatch(said.lower()):
        raise Malformed("number")
    found = int(said, 16)
    if found > largest:
        raise Malformed("number")
    return found


def hash_of(said: Any) -> str:
    """Return 32 bytes in hexadecimal digits; Malformed for anything else."""
    if not isinstance(said, str) or len(said) != 2 + WORD or not _HEX.fullmatch(said.lower()):
        raise Malformed("hash")
    return said.lower()


def block_of(said: Any) -> Block | None:
    """Return a block as a node told it; None where it told that there is none."""
    if said is None:
        return None
    if not isinstance(said, dict):
        raise Malformed("block")
    try:
        at = datetime.fromtimestamp(number_of(said.get("timestamp")), UTC)
    except (OverflowError, ValueError, OSError):
        raise Malformed("time of a block") from None
    return Block(number_of(said.get("number")), hash_of(said.get("hash")), at)


def log_of(said: Any) -> Log | None:
    """Return a log as a node told it; None for one that it calls removed."""
    if not isinstance(said, dict):
        raise Malformed("log")
    if said.get("removed") is True:
        return None
    topics, data, address = said.get("topics"), said.get("data"), said.get("address")
    if not isinstance(topics, list) or len(topics) > 4:
        raise Malformed("topics")
    if not isinstance(data, str) or not _HEX.fullmatch(data.lower()):
        raise Malformed("data")
    if not isinstance(address, str) or not re.fullmatch(r"0x[0-9a-fA-F]{40}", address):
        raise Malformed("address")
    return Log(
        address=address.lower(),
        topics=tuple(hash_of(one) for one in topics),
        data=data.lower(),
        block=number_of(said.get("blockNumber")),
        block_hash=hash_of(said.get("blockHash")),
        tx_hash=hash_of(said.get("transactionHash")),
        index=number_of(said.get("logIndex"), largest=MOST_LOGS),
    )


def logs_of(said: Any) -> frozenset[Log]:
    """Return logs as a node told them; one that it told twice is one."""
    if not isinstance(said, list):
        raise Malformed("list of logs")
    return frozenset(one for one in map(log_of, said) if one is not None)


def receipt_of(said: Any, *, asked: str) -> Receipt | None:
    """Return a receipt as a node told it, None for a transaction that is in no block yet.

    Malformed for another transaction's, and for logs of another one.
    """
    if said is None or (isinstance(said, dict) and said.get("blockHash") is None):
        return None
    if not isinstance(said, dict) or hash_of(said.get("transactionHash")) != asked:
        raise Malformed("receipt")
    block, of = number_of(said.get("blockNumber")), hash_of(said.get("blockHash"))
    logs = logs_of(said.get("logs"))
    if any((one.tx_hash, one.block, one.block_hash) != (asked, block, of) for one in logs):
        raise Malformed("receipt with logs of its own")
    status = number_of(said.get("status"))
    if status not in (0, 1):
        raise Malformed("status")
    return Receipt(asked, status == 1, block, of, tuple(sorted(logs, key=lambda one: one.index)))
