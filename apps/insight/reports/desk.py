"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Records": {"reports.paidreport": 50},
    },
    personal={
        "reports.paidreport": ("Sold report", "Sold reports"),
    },
)
