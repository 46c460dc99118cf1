"""The desk's read-only pages of payments."""

from apps.access.paywall.admin.payments import PaymentClaimAdmin
from apps.access.paywall.admin.receipts_and_sessions import ReceiptAdmin, StreamSessionAdmin

__all__ = ["PaymentClaimAdmin", "ReceiptAdmin", "StreamSessionAdmin"]
