"""The sandbox rail: the whole stack, and nothing is transferred."""

from datetime import datetime

from apps.payments.payments.rails import RailOrder, RailPending, RailRefusal, RailSettlement
from apps.platform.crypto.canonical import canonical_digest

SANDBOX_PREFIX = "SANDBOX-"


class SandboxRail:
    """Settles at once; the same order has the same id, which is labelled as none of a chain.

    An instruction may name Ethereum or Base, to rehearse what it will say in earnest.
    """

    name = "sandbox"
    network = "sandbox"
    chains = frozenset({"eip155:1", "eip155:8453"})
    binds = False

    def holds(self, order_id: str) -> bool:
        """Hold nothing: it settles at once."""
        return False

    def settle(
        self, *, order: RailOrder, now: datetime
    ) -> RailSettlement | RailRefusal | RailPending:
        """Settle an order by a digest of its id."""
        if order.chain and order.chain not in self.chains:
            return RailRefusal(f"it does not settle on {order.chain}.")
        # deterministic: a repeated run settles with the same id
        return RailSettlement(SANDBOX_PREFIX + canonical_digest(["sandbox rail", order.order_id]))
