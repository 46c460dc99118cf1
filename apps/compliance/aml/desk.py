"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.compliance.aml.approvals import PENDING as PENDING_WEIGHTS
from apps.compliance.aml.expected_activity.approvals import PENDING as PENDING_ACTIVITY
from apps.compliance.aml.search import SCREENS, search_aml_screens, search_wallet_profiles
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries

DESK = DeskEntries(
    pages={
        "AML": {
            "aml.walletprofile": 10,
            "aml.activitydeclaration": 20,
            "aml.activitychange": 30,
            "aml.weightchange": 40,
            "aml.weightrecord": 50,
            "aml.label": 60,
        },
        "Records": {"aml.amlscreen": 60},
    },
    finders={
        "aml_screens": (100, search_aml_screens),
        "wallet_profiles": (110, search_wallet_profiles),
    },
    approvals={
        "Expected activity": (70, ApprovalQueue("aml.decide_activitychange", PENDING_ACTIVITY)),
        "Weights of AML signals": (80, ApprovalQueue("aml.decide_weightchange", PENDING_WEIGHTS)),
    },
    exports={
        "aml-screens": SCREENS,
    },
    personal={
        "aml.activitychange": ("Change of expected activity", "Changes of expected activity"),
        "aml.activitydeclaration": ("Expected activity", "Expected activity"),
        "aml.amlscreen": ("AML screen", "AML screens"),
        "aml.walletprofile": ("Wallet profile", "Wallet profiles"),
    },
    impersonal=(
        "aml.label",
        "aml.weightchange",
        "aml.weightrecord",
    ),
)
