"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Reference data": {"signals.fetch": 140, "signals.observation": 150},
    },
    everyday={"admin:signals_*": "fetches what publishers say"},
    impersonal=(
        "signals.fetch",
        "signals.observation",
    ),
)
