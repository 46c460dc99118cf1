"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.insight.stability.oracle.approvals import PENDING
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Stability": {
            "stability.stabilityrun": 10,
            "stability.tierchange": 20,
            "stability.tierrecord": 30,
            "stability.tieroutcome": 40,
            "stability.quote": 50,
        },
    },
    approvals={
        "Oracle weights": (90, ApprovalQueue("stability.decide_tierchange", PENDING)),
    },
    impersonal=(
        "stability.quote",
        "stability.stabilityrun",
        "stability.tierchange",
        "stability.tieroutcome",
        "stability.tierrecord",
    ),
)
