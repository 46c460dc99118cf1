"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import AGAIN

DESK = DeskEntries(
    pages={
        "Payments": {"callbacks.delivery": 150, "callbacks.endpoint": 160, "callbacks.secret": 170},
    },
    everyday={
        "admin:callbacks_delivery_resend": AGAIN,
        "admin:callbacks_endpoint_*": AGAIN,
    },
    personal={
        "callbacks.delivery": ("Callback", "Callbacks"),
    },
    impersonal=(
        "callbacks.endpoint",
        "callbacks.secret",
    ),
)
