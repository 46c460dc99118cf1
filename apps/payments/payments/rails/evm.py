"""The rail of chains: the institution executes the transfer, and the chain says that it did."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings

from apps.access.paywall.x402.networks import NETWORKS
from apps.payments.chain import expected_transfers
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import node_urls
from apps.payments.chain.expected_transfers import (
    ExpectedTransfer,
    TransferExecution,
    TransferStatus,
)
from apps.payments.chain.integrity import OrderIntegrityError
from apps.payments.payments.models import Payment
from apps.payments.payments.rails import RailOrder, RailPending, RailRefusal, RailSettlement

ABOUT = "payment"
# how long the price stays locked for the transfer: two people at a treasury, and a slow chain
WINDOW = timedelta(hours=1)
# the chain app notifies before (apply_chain_transfer_status); this is in case that it cannot
ASK_AGAIN_AFTER = timedelta(minutes=2)
AWAITING = "AWAITING_SETTLEMENT"
EXPIRED_REASON = "no transfer arrived before the deadline."
CLOSED_REASON = "its transfer is no longer expected."


class EvmRail:
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
        return frozenset(name for name, chain in CHAINS.items() if node_urls(chain))

    def holds(self, order_id: str) -> bool:
        """Tell whether the transfer of an order is expected, or was."""
        return expected_transfers.order_exists(uuid.UUID(order_id))

    def settle(
        self, *, order: RailOrder, now: datetime
    ) -> RailSettlement | RailRefusal | RailPending:
        """Expect the transfer of an order, and return whether it arrived; no node is queried."""
        number = uuid.UUID(order.order_id)
        if not expected_transfers.order_exists(number):
            chain = order.chain or NETWORKS[settings.X402_NETWORK].caip2
            # without a node nobody would ever see the transfer
            if chain not in self.chains:
                return RailRefusal(f"it does not settle on {chain}.")
            expected_transfer = ExpectedTransfer(
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
                expected_transfers.expect_transfer(expected_transfer, now=now)
            except ValueError as error:
                return RailRefusal(f"{error}.".replace("..", "."))
            return RailPending(now + ASK_AGAIN_AFTER)
        try:
            transfer_status = expected_transfers.load_transfer_status(number)
        except OrderIntegrityError:
            # money may have moved: it neither settles nor fails
            return RailPending(now + ASK_AGAIN_AFTER)
        if transfer_status.state == "FINAL":
            return RailSettlement(
                # the log index tells transfers of one transaction apart
                transfer_status.tx_hash,
                transfer_status.log_index or 0,
                self._network(number),
            )
        if transfer_status.state == "EXPIRED":
            return RailRefusal(CLOSED_REASON if transfer_status.closed else EXPIRED_REASON)
        return RailPending(now + ASK_AGAIN_AFTER)

    def _network(self, number: uuid.UUID) -> str:
        execution = expected_transfers.load_execution(number)
        return execution.network if execution else self.network


def load_pending_execution(payment: Payment) -> tuple[TransferExecution, TransferStatus] | None:
    """Return what executes a payment that waits for its transfer, and how far that is."""
    return (
        expected_transfers.load_execution_and_status(payment.payment_id)
        if payment.state == AWAITING
        else None
    )


def report_payment_transaction(payment: Payment, tx_hash: str, *, now: datetime) -> None:
    """Note which transaction carries a payment; nothing where none is awaited.

    InvalidTransactionHash for a text that is no hash.
    """
    insisted = expected_transfers.parse_transaction_hash(tx_hash)
    if load_pending_execution(payment) is not None:
        expected_transfers.report_transaction(payment.payment_id, insisted, now=now)
