"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Operations": {"upstreams.upstreamstate": 40},
    },
    impersonal=("upstreams.upstreamstate",),
)
