"""The order of a payment to its settlement rail."""

from decimal import Decimal

from apps.payments.payments.models import Payment
from apps.payments.payments.rails import RailOrder


def build_rail_order(payment: Payment) -> RailOrder:
    """Return what the rail is to settle; the same payment is the same order."""
    return RailOrder(
        order_id=str(payment.payment_id),
        asset=payment.asset,
        amount=Decimal(payment.price["assetAmount"]),
        recipient=payment.creditor_wallet,
        chain=payment.instruction.get("chain", ""),
        owner=payment.owner,
        sender=payment.debtor_wallet,
    )
