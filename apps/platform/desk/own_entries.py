"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.admin.jobs import job_tiles
from apps.platform.desk.approvals import approval_panel, approval_tiles
from apps.platform.desk.digest_search import search_by_digest
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.operator_panel import build_operator_panel
from apps.platform.desk.step_up import AGAIN, READS

DESK = DeskEntries(
    pages={
        "Records": {"core.ledgerhead": 90, "core.legalhold": 100, "core.purgeevent": 110},
        "Operations": {"core.job": 20, "core.periodic": 30},
    },
    finders={
        "digests": (170, search_by_digest),
    },
    tiles={
        "approval": (10, approval_tiles),
        "job": (60, job_tiles),
    },
    panels={
        "approval": (30, approval_panel),
        "operator": (50, build_operator_panel),
    },
    everyday={
        "admin:login": "signing in is the proof",
        "admin:logout": "ends the sign-in",
        "admin:password_change": "requires the old password itself",
        "admin:index": READS,
        "admin:desk_search": READS,
        "admin:core_job_*": AGAIN,
    },
    personal={
        "desk.approvals": ("Needs my approval", "Needs my approval"),
    },
    impersonal=(
        "core.job",
        "core.ledgerhead",
        "core.legalhold",
        "core.periodic",
        "core.purgeevent",
    ),
)
