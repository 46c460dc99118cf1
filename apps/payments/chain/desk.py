"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.payments.chain.search import search_orders
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Payments": {"chain.order": 80, "chain.transfer": 90},
    },
    finders={
        "orders": (80, search_orders),
    },
    personal={
        "chain.order": ("Expected transfer", "Expected transfers"),
        "chain.transfer": ("Transfer on a chain", "Transfers on chains"),
    },
)
