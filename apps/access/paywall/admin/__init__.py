"""What the desk shows of payments: to read, never to change."""

from apps.access.paywall.admin.payments import PaymentClaimAdmin
from apps.access.paywall.admin.records import ReceiptAdmin, StreamSessionAdmin

__all__ = ["PaymentClaimAdmin", "ReceiptAdmin", "StreamSessionAdmin"]
