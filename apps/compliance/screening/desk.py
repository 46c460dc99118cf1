"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.compliance.screening.search import label_screens, list_case_screens, search_screens
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import READS

DESK = DeskEntries(
    pages={
        "Records": {"screening.screen": 10, "screening.reportrecord": 20},
        "Reference data": {"screening.rescreen": 40},
    },
    finders={
        "screens": (20, search_screens),
    },
    held_along={
        "review.case": list_case_screens,
    },
    record_words={
        "screens": label_screens,
    },
    everyday={"admin:screening_screen_replay": READS},
    impersonal=("screening.rescreen",),
    personal={
        "screening.reportrecord": ("Report to a client", "Reports to clients"),
        "screening.screen": ("Screen", "Screens"),
    },
)
