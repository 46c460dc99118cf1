"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Intelligence": {
            "intelligence.regimeprediction": 10,
            "intelligence.regimeoutcome": 20,
            "intelligence.recalibration": 30,
            "intelligence.calloutcome": 40,
            "intelligence.graphedition": 50,
            "intelligence.intelligenceanswer": 60,
        },
    },
    impersonal=(
        "intelligence.calloutcome",
        "intelligence.graphedition",
        "intelligence.intelligenceanswer",
        "intelligence.recalibration",
        "intelligence.regimeoutcome",
        "intelligence.regimeprediction",
    ),
)
