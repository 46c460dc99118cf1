"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.compliance.payees.approvals import PENDING
from apps.compliance.payees.search.payee_checks import label_payee_checks, search_payee_checks
from apps.compliance.payees.search.registrations import (
    build_registration_tiles,
    search_registrations,
)
from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries
from apps.platform.desk.step_up import READS

DESK = DeskEntries(
    pages={
        "Registry": {
            "registry.registration": 10,
            "registry.entitychange": 20,
            "registry.walletimport": 30,
            "registry.vopcheck": 40,
        },
    },
    finders={
        "registrations": (30, search_registrations),
        "payee_checks": (40, search_payee_checks),
    },
    tiles={
        "registration": (30, build_registration_tiles),
    },
    approvals={
        "Changes of entity": (60, ApprovalQueue("registry.decide_entitychange", PENDING)),
    },
    record_words={
        "payee_checks": label_payee_checks,
    },
    everyday={
        "admin:registry_walletimport_result": READS,
        "admin:registry_walletimport_upload": "uploads a file; starting it asks for confirmation",
    },
    personal={
        "registry.entitychange": ("Change of a wallet’s entity", "Changes of wallets’ entities"),
        "registry.registration": ("Registered wallet", "Registered wallets"),
        "registry.vopcheck": ("Payee check", "Payee checks"),
        "registry.walletimport": ("Import of wallets", "Wallet imports"),
    },
)
