"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Payments": {"pain001.paymentfile": 20},
    },
    personal={
        "pain001.paymentfile": ("Payment file", "Payment files"),
    },
)
