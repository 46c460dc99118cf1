"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.payments.settlement.institution_access.approvals import PENDING
from apps.payments.settlement.search import search_settlements
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Payments": {
            "settlement.settlement": 50,
            "settlement.settlementaccess": 60,
            "settlement.accesschange": 70,
        },
    },
    finders={
        "settlements": (60, search_settlements),
    },
    approvals={
        "Access to settlement": (110, ApprovalQueue("settlement.decide_accesschange", PENDING)),
    },
    personal={
        "settlement.settlement": ("Settlement", "Settlements"),
        "settlement.settlementaccess": ("Access to settlement", "Access to settlement"),
        "settlement.accesschange": (
            "Change of access to settlement",
            "Changes of access to settlement",
        ),
    },
)
