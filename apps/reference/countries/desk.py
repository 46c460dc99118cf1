"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries
from apps.reference.countries.approvals import PENDING

DESK = DeskEntries(
    pages={
        "Reference data": {"countries.countrylisting": 70, "countries.countrychange": 80},
    },
    approvals={
        "Country changes": (40, ApprovalQueue("countries.decide_countrychange", PENDING)),
    },
    impersonal=(
        "countries.countrychange",
        "countries.countrylisting",
    ),
)
