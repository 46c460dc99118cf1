"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.access.paywall.revenue import RECEIPTS
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Clients": {"paywall.paymentclaim": 40, "paywall.receipt": 50, "paywall.streamsession": 60},
    },
    exports={
        "receipts": RECEIPTS,
    },
    personal={
        "paywall.paymentclaim": ("Payment", "Payments"),
        "paywall.receipt": ("Receipt", "Receipts"),
        "paywall.streamsession": ("Session of a stream", "Sessions of streams"),
    },
)
