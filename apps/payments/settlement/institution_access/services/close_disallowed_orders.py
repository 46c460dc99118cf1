"""End orders that are no longer permitted: of an institution, one of its wallets, an agent."""

import logging
from datetime import datetime

from django.db.models import QuerySet

from apps.payments.chain.expected_transfers import CLOSED_REASON
from apps.payments.chain.integrity import OrderIntegrityError, verify_order
from apps.payments.chain.models import Order
from apps.payments.chain.record_transition import record_transition
from apps.payments.settlement.models import Settlement, SettlementAccess

logger = logging.getLogger(__name__)
# states of an order without a transfer on the chain: SEEN has a hash to look for
WITHOUT_TRANSFER = ("OPEN", "SEEN")


def close_disallowed_orders(access: SettlementAccess, *, now: datetime) -> None:
    """Close orders that an access no longer allows; in the transaction that sets it.

    Raises OrderIntegrityError (503) if an order was altered.
    """
    waiting = Settlement.objects.filter(
        owner=access.owner, state="AWAITING_SETTLEMENT", sandbox=False
    )
    if access.allowed:
        waiting = waiting.exclude(sender__in=access.wallets)
    for order in _lock_unpaid_orders(waiting):
        record_transition(verify_order(order), "CLOSED", now=now, why=CLOSED_REASON)


def close_orders_of_agent(agent_id: str, now: datetime) -> None:
    """Close the orders of a revoked agent; one that was altered is logged and stays."""
    waiting = Settlement.objects.filter(
        agent_id=agent_id, state="AWAITING_SETTLEMENT", sandbox=False
    )
    for order in _lock_unpaid_orders(waiting):
        try:
            record_transition(verify_order(order), "CLOSED", now=now, why=CLOSED_REASON)
        # the agent must be revoked in any case; an altered order settles nothing as it is
        except OrderIntegrityError:
            logger.error("order %s of revoked agent %s cannot be ended", order.order_id, agent_id)


def _lock_unpaid_orders(waiting: QuerySet[Settlement]) -> QuerySet[Order]:
    """Return the locked orders of settlements without any seen transfer.

    Transfers that the chain has already go on: they were paid while that was allowed.
    """
    numbers = list(waiting.values_list("order_id", flat=True))
    orders = Order.objects.select_for_update().filter(
        order_id__in=numbers, state__in=WITHOUT_TRANSFER
    )
    # always locked in this order, so that two changes at once do not deadlock
    return orders.order_by("pk")
