"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.access.keys.approvals import PENDING
from apps.access.keys.search import search_accounts
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Clients": {"access.account": 10, "access.apikey": 20, "access.keyrequest": 30},
    },
    finders={
        "accounts": (160, search_accounts),
    },
    approvals={
        "Keys": (50, ApprovalQueue("access.decide_keyrequest", PENDING)),
    },
    impersonal=(
        "access.account",
        "access.apikey",
        "access.keyrequest",
    ),
)
