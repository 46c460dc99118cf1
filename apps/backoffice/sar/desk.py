"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.backoffice.sar.admin import build_log_tiles
from apps.backoffice.sar.search import label_entries, search_entries
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import CASEWORK

DESK = DeskEntries(
    pages={
        "Suspicious activity": {"sar.sarentry": 10, "sar.sarread": 20},
    },
    finders={
        "entries": (120, search_entries),
    },
    tiles={
        "log": (40, build_log_tiles),
    },
    record_words={
        "sar": label_entries,
    },
    everyday={"admin:sar_sarentry_*": CASEWORK},
    personal={
        "sar.sarentry": ("Entry of the SAR log", "SAR log"),
        "sar.sarread": ("Who opened the SAR log", "Who opened the SAR log"),
    },
)
