"""Register how the app's tables are protected against changes in the database."""

from apps.compliance.payees.integrity import verify_all_registrations
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import HISTORY, MONEY, Comparison, TableProof, TableProofs

IMPORTED = "the uploaded file; registrations made from it are checked and recorded separately"

PROOFS = TableProofs(
    comparisons={
        "registrations": (Comparison(verify_all_registrations),),
    },
    proved={
        "registry.EntityChange": TableProof(
            MONEY, "proposals", verify_proposals, "and when it is decided"
        ),
        "registry.Registration": TableProof(
            MONEY,
            "registrations",
            verify_all_registrations,
            "and when it is looked up",
        ),
    },
    beside={
        "registry.EntityChangeEvent": HISTORY,
        "registry.ImportLine": IMPORTED,
        "registry.WalletImport": IMPORTED,
    },
    witnessed=("registrations",),
)
