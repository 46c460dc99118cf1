"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.backoffice.review.exports import CASES, DECISIONS
from apps.backoffice.review.search import (
    label_decision_events,
    list_hold_records,
    search_cases,
    search_clients,
)
from apps.backoffice.review.selectors.pending_known_false_positives import list_waiting_known
from apps.backoffice.review.step_up import is_high_risk_approval, is_high_risk_clear
from apps.backoffice.review.views.approvals import list_waiting_clears, list_waiting_decisions
from apps.backoffice.review.views.known_false_positive_expiry import build_ended_panel
from apps.backoffice.review.views.queue_page import build_queue_tiles
from apps.backoffice.review.views.today_page import build_today_panel
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import CASEWORK

DESK = DeskEntries(
    pages={
        "Cases": {
            "review.case": 10,
            "review.knownfalsepositive": 20,
            "review.decisionevent": 40,
            "review.triage": 50,
        },
    },
    pinned={
        "review.case": ("Queue", "q"),
    },
    finders={
        "cases": (10, search_cases),
        "clients": (150, search_clients),
    },
    tiles={
        "queue": (20, build_queue_tiles),
    },
    panels={
        "ended": (40, build_ended_panel),
        "today": (60, build_today_panel),
    },
    approvals={
        "Decisions": (10, ApprovalQueue("review.approve_second", list_waiting_decisions)),
        "Bulk clears": (20, ApprovalQueue("review.approve_second", list_waiting_clears)),
        "Known false positives": (30, ApprovalQueue("review.confirm_known", list_waiting_known)),
    },
    exports={
        "cases": CASES,
        "decisions": DECISIONS,
    },
    held_whole={
        "review.case": list_hold_records,
    },
    record_words={
        "decisions": label_decision_events,
    },
    step_up={
        "admin:review_case_confirm": is_high_risk_approval,
        "admin:review_case_decide": is_high_risk_approval,
        "admin:review_bulk_confirm": is_high_risk_clear,
    },
    everyday={
        "admin:review_case_*": CASEWORK,
        "admin:review_bulk*": CASEWORK,
    },
    personal={
        "review.case": ("Case", "Cases"),
        "review.decisionevent": ("Step of a case", "Steps of cases"),
        "review.knownfalsepositive": ("Known false positive", "Known false positives"),
    },
    impersonal=("review.triage",),
    work_lists=("review.case",),
)
