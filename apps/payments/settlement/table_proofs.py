"""Register how the app's tables are protected against changes in the database."""

from apps.payments.settlement.institution_access.integrity import verify_settlement_access
from apps.payments.settlement.integrity import verify_settlements
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    HISTORY,
    MONEY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "settlement_access": (Comparison(verify_settlement_access),),
        "settlement_events": (Comparison(verify_settlements),),
    },
    proved={
        "settlement.AccessChange": TableProof(
            MONEY, "proposals", verify_proposals, "and when it is decided"
        ),
        "settlement.Settlement": TableProof(
            MONEY,
            "settlement_events",
            verify_settlements,
            "and when it is returned or changes state",
        ),
        "settlement.SettlementAccess": TableProof(
            MONEY,
            "settlement_access",
            verify_settlement_access,
            "and when it is used",
        ),
    },
    uncompared={
        "settlement.SettlementAccess": ((("changed_at",), SHOWN),),
    },
    beside={
        "settlement.AccessChangeEvent": HISTORY,
    },
    witnessed=(
        "settlement_access",
        "settlement_events",
    ),
)
