"""Asks for the logs that concern orders, and of a block that has too many in narrower questions.

Whoever wants to can put more transfers to a recipient into one block than a node's answer may hold:
they cost fees and move nothing. So a block is asked for by fewer recipients, then token by token,
then from the senders that are expected. What is too much even so is left out, and whoever waits
for it is told: the reading goes on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.access.paywall.clients.evm_node import TRANSFER, USED
from apps.payments.chain.clients.node_parser import ChainReader, Log, address_to_topic
from apps.payments.chain.clients.nodes import NodesDisagree
from apps.payments.chain.models import Order
from apps.platform.common.batches import iter_chunks
from apps.platform.upstreams.http import AnswerTooLarge, NotCalled, UpstreamError

TOPICS_PER_QUERY = 200  # recipients, or references, of one question


@dataclass(frozen=True, slots=True)
class LogQuery:
    """Which logs are asked for: of a kind, of tokens, and what they name.

    `named` are recipients of transfers, or references that are used. `senders`, where there are
    any, are from whom the transfers are, or who authorized them.
    """

    kind: str
    assets: tuple[str, ...]
    named: tuple[str, ...]
    senders: tuple[str, ...] = ()

    @property
    def topics(self) -> list[Any]:
        """The topics as a node is asked for them."""
        return [self.kind, list(self.senders) or None, list(self.named)]

    def narrower(self, orders: Sequence[Order]) -> list["LogQuery"]:
        """Return questions that ask for less each; none where nothing narrower is of use."""
        for name in ("named", "assets", "senders"):
            held = getattr(self, name)
            if len(held) > 1:
                half = len(held) // 2
                return [replace(self, **{name: one}) for one in (held[:half], held[half:])]
        if self.senders:
            return []
        senders = sorted({address_to_topic(one.sender) for one in self._of(orders) if one.sender})
        return [
            replace(self, senders=tuple(some)) for some in iter_chunks(senders, TOPICS_PER_QUERY)
        ]

    def lost(self, orders: Sequence[Order]) -> list[Order]:
        """Return the orders of which nothing narrower tells, where this is not answered."""
        if len(self.named) > 1 or len(self.assets) > 1 or len(self.senders) > 1:
            return []
        return [one for one in self._of(orders) if self.senders or not one.sender]

    def _of(self, orders: Sequence[Order]) -> list[Order]:
        """Return the orders whose transfer it asks for."""
        return [
            order
            for order in orders
            if (address_to_topic(order.recipient) if self.kind == TRANSFER else order.reference)
            in self.named
            and order.asset_address.lower() in self.assets
            and (
                not self.senders
                or (order.sender and address_to_topic(order.sender) in self.senders)
            )
        ]


@dataclass(frozen=True, slots=True)
class OrderLogs:
    """The logs that were read, and the orders for which some of one block were left out."""

    logs: frozenset[Log]
    untold: tuple[Order, ...] = ()


def build_log_queries(assets: Sequence[str], orders: Sequence[Order]) -> list[LogQuery]:
    """Return what is asked of a range: transfers to recipients, and references that are used."""
    payees = sorted({address_to_topic(order.recipient) for order in orders})
    nonces = sorted({order.reference for order in orders})
    log_queries = [
        LogQuery(TRANSFER, tuple(assets), tuple(some))
        for some in iter_chunks(payees, TOPICS_PER_QUERY)
    ]
    return log_queries + [
        LogQuery(USED, tuple(assets), tuple(some)) for some in iter_chunks(nonces, TOPICS_PER_QUERY)
    ]


def fetch_order_logs(
    *, reader: ChainReader, first: int, last: int, assets: Sequence[str], orders: Sequence[Order]
) -> OrderLogs:
    """Return the logs of a range of blocks that concern orders.

    UpstreamError where a range is not answered, or one block for another reason than that it has
    too many; then nothing of it counts.
    """
    found: set[Log] = set()
    untold: dict[int, Order] = {}
    waiting = build_log_queries(assets, orders)
    while waiting:
        one = waiting.pop()
        try:
            found |= reader.logs(first=first, last=last, assets=one.assets, topics=one.topics)
        except UpstreamError as error:
            if first < last or not error.permanent or isinstance(error, NodesDisagree | NotCalled):
                raise
            lost, narrower = one.lost(orders), one.narrower(orders)
            if not isinstance(error, AnswerTooLarge) and (lost or not narrower):
                raise  # a node refuses for any reason: nothing is left out for that
            untold |= {order.pk: order for order in lost}
            waiting += narrower
    return OrderLogs(frozenset(found), tuple(untold.values()))
