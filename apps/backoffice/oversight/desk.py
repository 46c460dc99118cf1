"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.backoffice.oversight.admin import build_sample_tiles
from apps.backoffice.oversight.exports import READS
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import CASEWORK
from apps.platform.desk.step_up import READS as STEP_UP_READS

DESK = DeskEntries(
    pages={
        "Cases": {"oversight.sample": 30},
        "Records": {"oversight.exportevent": 70, "oversight.readevent": 80},
        "Operations": {"oversight.health": 10},
    },
    tiles={
        "sample": (50, build_sample_tiles),
    },
    exports={
        "reads": READS,
    },
    everyday={
        "admin:oversight_sample_*": CASEWORK,
        "admin:oversight_exportevent_run": STEP_UP_READS,
    },
    personal={
        "oversight.sample": ("Quality sample", "Quality samples"),
    },
    impersonal=(
        "oversight.exportevent",
        "oversight.health",
        "oversight.readevent",
    ),
    work_lists=("oversight.sample",),
)
