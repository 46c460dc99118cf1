"""Fetch the logs that concern orders, and split the query of a block that has too many.

Anybody can put more transfers to a recipient into one block than a node's answer may hold: they
cost fees and move nothing. So a block is queried by fewer recipients, then token by token, then by
the expected senders. Logs that are still too many are left out, and the orders that may miss a
transfer are notified: reading goes on.
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

# recipients, or references, per query
TOPICS_PER_QUERY = 200


@dataclass(frozen=True, slots=True)
class LogQuery:
    """A query for logs: of a kind, of tokens, and of what they name.

    `named` are recipients of transfers, or references that are used. `senders`, if there are any,
    are the senders of the transfers, or the authorizers.
    """

    kind: str
    assets: tuple[str, ...]
    named: tuple[str, ...]
    senders: tuple[str, ...] = ()

    @property
    def topics(self) -> list[Any]:
        """The topics of the node's query."""
        # topics of Transfer(from, to) and AuthorizationUsed(authorizer, nonce); null matches any
        return [self.kind, list(self.senders) or None, list(self.named)]

    def narrower(self, orders: Sequence[Order]) -> list["LogQuery"]:
        """Return narrower queries; none if there is nothing to narrow."""
        # in this order: only the last step loses orders, those that accept any sender
        for name in ("named", "assets", "senders"):
            field_values = getattr(self, name)
            if len(field_values) > 1:
                half = len(field_values) // 2
                return [
                    replace(self, **{name: half_values})
                    for half_values in (field_values[:half], field_values[half:])
                ]
        if self.senders:
            return []
        senders = sorted(
            {address_to_topic(order.sender) for order in self._of(orders) if order.sender}
        )
        return [
            replace(self, senders=tuple(chunk)) for chunk in iter_chunks(senders, TOPICS_PER_QUERY)
        ]

    def lost(self, orders: Sequence[Order]) -> list[Order]:
        """Return the orders that no narrower query covers, if this one is not answered."""
        if len(self.named) > 1 or len(self.assets) > 1 or len(self.senders) > 1:
            return []
        # without senders in the query, orders with a sender are covered by a narrower one
        return [order for order in self._of(orders) if self.senders or not order.sender]

    def _of(self, orders: Sequence[Order]) -> list[Order]:
        """Return the orders whose transfer it covers."""
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
    """Return the queries of a range: transfers to recipients, and references that are used."""
    payees = sorted({address_to_topic(order.recipient) for order in orders})
    nonces = sorted({order.reference for order in orders})
    log_queries = [
        LogQuery(TRANSFER, tuple(assets), tuple(chunk))
        for chunk in iter_chunks(payees, TOPICS_PER_QUERY)
    ]
    return log_queries + [
        LogQuery(USED, tuple(assets), tuple(chunk))
        for chunk in iter_chunks(nonces, TOPICS_PER_QUERY)
    ]


def fetch_order_logs(
    *, reader: ChainReader, first: int, last: int, assets: Sequence[str], orders: Sequence[Order]
) -> OrderLogs:
    """Return the logs of a range of blocks that concern orders.

    Raises UpstreamError if a range is not answered, or if one block is not for another reason than
    too many logs; then nothing of it counts.
    """
    logs: set[Log] = set()
    untold: dict[int, Order] = {}
    waiting = build_log_queries(assets, orders)
    while waiting:
        query = waiting.pop()
        try:
            logs |= reader.logs(first=first, last=last, assets=query.assets, topics=query.topics)
        except UpstreamError as error:
            # a range is halved by the caller (services/block_scan.py); only a single block is split
            # here
            if first < last or not error.permanent or isinstance(error, NodesDisagree | NotCalled):
                raise
            lost, narrower = query.lost(orders), query.narrower(orders)
            if not isinstance(error, AnswerTooLarge) and (lost or not narrower):
                # the node refuses for another reason: nothing is left out for that
                raise
            # a hostile block must not stop the chain's reading for everybody else
            untold |= {order.pk: order for order in lost}
            waiting += narrower
    return OrderLogs(frozenset(logs), tuple(untold.values()))
