"""The rail of chains: the institution executes the transfer, and the chain says that it did."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings

from apps.chain import orders
from apps.chain.assets import CHAINS
from apps.chain.nodes import urls_of
from apps.chain.orders import Execution, Standing, Wanted
from apps.chain.projection import OrderUnproved
from apps.payments.models import Payment
from apps.payments.rails import Order, Refused, Settled, Waits
from apps.paywall.x402.networks import NETWORKS

ABOUT = "payment"
# how long the price stays locked for the transfer: two people at a treasury, and a slow chain
WINDOW = timedelta(hours=1)
LOOKS_AGAIN = timedelta(minutes=2)  # the chain tells before; this is in case that it cannot
AWAITING = "AWAITING_SETTLEMENT"
RAN_OUT = "no transfer came before the deadline."
ENDED = "its transfer is expected no more."


class Evm:
    """Expects one transfer for each order, and settles it once the chain will keep it."""

    name = "evm"
    binds = True

    @property
    def network(self) -> str:
        """The network of orders that name none."""
        return str(settings.X402_NETWORK)

    @property
    def chains(self) -> frozenset[str]:
        """Chains whose nodes this installation names."""
        return frozenset(name for name, one in CHAINS.items() if urls_of(one))

    def holds(self, order_id: str) -> bool:
        """Tell whether the transfer of an order is expected, or was."""
        return orders.exists(uuid.UUID(order_id))

    def settle(self, *, order: Order, now: datetime) -> Settled | Refused | Waits:
        """Expect the transfer of an order, and tell whether it came; no node is asked."""
        number = uuid.UUID(order.order_id)
        if not orders.exists(number):
            return self._expect(order, number, now)
        try:
            found = orders.standing(number)
        except OrderUnproved:
            return Waits(now + LOOKS_AGAIN)  # money may have moved: it neither settles nor fails
        if found.state == "FINAL":
            return Settled(found.tx_hash, found.log_index or 0, self._network(number))
        if found.state == "EXPIRED":
            return Refused(ENDED if found.closed else RAN_OUT)
        return Waits(now + LOOKS_AGAIN)

    def _expect(self, order: Order, number: uuid.UUID, now: datetime) -> Refused | Waits:
        chain = order.chain or NETWORKS[settings.X402_NETWORK].caip2
        if chain not in self.chains:
            return Refused(f"it does not settle on {chain}.")
        wanted = Wanted(
            order_id=number,
            about=ABOUT,
            owner=order.owner,
            chain=chain,
            asset=order.asset,
            amount=order.amount,
            recipient=order.recipient,
            sender=order.sender,
            deadline=now + WINDOW,
        )
        try:
            orders.expect(wanted, now=now)
        except ValueError as error:
            return Refused(f"{error}.".replace("..", "."))
        return Waits(now + LOOKS_AGAIN)

    def _network(self, number: uuid.UUID) -> str:
        found = orders.execution(number)
        return found.network if found else self.network


def executing(payment: Payment) -> tuple[Execution, Standing] | None:
    """Return what executes a payment that waits for its transfer, and how far that is."""
    return orders.both(payment.payment_id) if payment.state == AWAITING else None


def named(payment: Payment, tx_hash: str, *, now: datetime) -> None:
    """Note which transaction carries a payment; nothing where none is awaited.

    BadHash for a text that is no hash.
    """
    insisted = orders.hash_of(tx_hash)
    if executing(payment) is not None:
        orders.reported(payment.payment_id, insisted, now=now)
