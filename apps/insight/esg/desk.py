"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Records": {"esg.esgscore": 30, "esg.paireport": 40},
        "Reference data": {"esg.evidence": 160, "esg.esglookup": 170},
    },
    impersonal=(
        "esg.esglookup",
        "esg.esgscore",
        "esg.evidence",
    ),
    personal={
        "esg.paireport": ("SFDR report", "SFDR reports"),
    },
)
