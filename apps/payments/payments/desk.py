"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.payments.payments.search import payment_event_ids, payment_event_links, search_payments
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "Payments": {"payments.payment": 10},
    },
    finders={
        "payments": (50, search_payments),
    },
    held_whole={
        "payments.payment": payment_event_ids,
    },
    record_words={
        "payment_events": payment_event_links,
    },
    personal={
        "payments.payment": ("Institution’s payment", "Institutions’ payments"),
    },
)
