"""What the desk shows of payments: to read, never to change."""

from apps.paywall.admin.payments import PaymentClaimAdmin
from apps.paywall.admin.records import ReceiptAdmin, StreamSessionAdmin

__all__ = ["PaymentClaimAdmin", "ReceiptAdmin", "StreamSessionAdmin"]
