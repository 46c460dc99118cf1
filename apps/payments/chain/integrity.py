"""Verify orders against the ledger of their events."""

from uuid import UUID

from apps.payments.chain.assets import CHAINS
from apps.payments.chain.models import ChainEvent, Order
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.state_row_checks import StateRowCheck

INTEGRITY_FAILED = "Integrity check failed for the expected transfer. Contact the operator."


class OrderIntegrityError(Unavailable):
    """Integrity check failed for the order: it was altered."""

    code, title = "order_unproved", "Order integrity check failed"


def is_order_removed(order_id: UUID) -> bool:
    """Tell whether an order was made whose row is missing; called when a row is missed."""
    return ChainEvent.objects.filter(made=order_id).exists()


def _has_recorded_token(order: Order) -> bool:
    """Tell whether number and symbol match the recorded chain and address."""
    chain = CHAINS.get(order.chain)
    if chain is None:
        # no release of ours watches it any more
        return True
    # the digest covers CAIP-2 name and token address: number and symbol must follow from them
    address = chain.assets.get(order.asset, "")
    return (order.chain_id, order.asset_address.lower()) == (chain.chain_id, address.lower())


CHECK = StateRowCheck(
    rows=Order,
    events=ChainEvent,
    of="order",
    error=OrderIntegrityError,
    detail=INTEGRITY_FAILED,
    further=lambda order: (
        "" if _has_recorded_token(order) else "names another chain or token than its own"
    ),
    related=("order__transfer",),
)
verify_order = CHECK.verify
select_verified_orders = CHECK.select_verified
find_order_faults = CHECK.find_faults
verify_orders = CHECK.compare
