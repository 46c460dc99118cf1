"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.payments.banking.approvals import PENDING
from apps.payments.banking.search import search_bank_transactions
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Payments": {
            "banking.banktransaction": 100,
            "banking.send": 110,
            "banking.recipient": 120,
            "banking.wire": 130,
            "banking.statementrun": 140,
        },
    },
    finders={
        "bank_transactions": (70, search_bank_transactions),
    },
    approvals={
        "International wires": (130, ApprovalQueue("banking.decide_wire", PENDING)),
    },
    personal={
        "banking.banktransaction": ("Bank transaction", "Bank transactions"),
        "banking.recipient": ("Recipient at the bank", "Recipients at the bank"),
        "banking.send": ("Payment by the bank", "Payments by the bank"),
        "banking.wire": ("International wire", "International wires"),
    },
    impersonal=("banking.statementrun",),
)
