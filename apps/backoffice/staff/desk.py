"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import ALWAYS, SENT

DESK = DeskEntries(
    pages={
        "People": {"staff.person": 10, "staff.peopleevent": 20, "auth.user": 30, "auth.group": 40},
    },
    step_up={
        "staff:app": ALWAYS,
        "staff:passkey": ALWAYS,
        "staff:recovery": SENT,
        "staff:remove": SENT,
    },
    personal={
        "auth.group": ("Role", "Roles"),
        "auth.user": ("User", "Users"),
        "staff.peopleevent": ("Change of a sign-in", "Changes of sign-ins"),
        "staff.person": ("Person", "People"),
    },
)
