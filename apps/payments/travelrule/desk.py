"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.payments.travelrule.directory.approvals import PENDING as PENDING_COUNTERPARTIES
from apps.payments.travelrule.engagements.approvals import PENDING as PENDING_ENGAGEMENTS
from apps.payments.travelrule.proofs.stamping.stamps import describe_latest_stamp
from apps.payments.travelrule.search import (
    label_events,
    list_held_events,
    list_held_payment_events,
    search_travel_records,
)
from apps.payments.travelrule.views.examiner_overview import build_examiner_panel
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import READS

DESK = DeskEntries(
    pages={
        "Payments": {"travelrule.vasp": 30, "travelrule.vaspchange": 40},
        "Travel rule": {
            "travelrule.travelrecord": 10,
            "travelrule.drawnsample": 20,
            "travelrule.engagement": 30,
        },
    },
    finders={
        "travel_records": (90, search_travel_records),
    },
    panels={
        "examiner": (10, build_examiner_panel),
    },
    approvals={
        "Counterparty VASPs": (
            100,
            ApprovalQueue("travelrule.decide_vaspchange", PENDING_COUNTERPARTIES),
        ),
        "Engagements of examiners": (
            120,
            ApprovalQueue("travelrule.decide_engagement", PENDING_ENGAGEMENTS),
        ),
    },
    held_whole={
        "travelrule.travelrecord": list_held_events,
    },
    held_along={
        "payments.payment": list_held_payment_events,
    },
    record_words={
        "travel_rule": label_events,
    },
    ledger_notes={
        "travel_rule": describe_latest_stamp,
    },
    everyday={
        "admin:travelrule_travelrecord_*": READS,
        "admin:travelrule_drawnsample_*": READS,
    },
    personal={
        "travelrule.vasp": ("Counterparty VASP", "Counterparty VASPs"),
        "travelrule.vaspchange": ("Change of a counterparty", "Changes of counterparties"),
        "travelrule.drawnsample": ("Sample of records", "Samples of records"),
        "travelrule.engagement": ("Engagement of an examiner", "Engagements of examiners"),
        "travelrule.travelrecord": ("Travel-rule record", "Travel-rule records"),
    },
)
