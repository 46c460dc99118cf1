"""Register how the app's tables are protected against changes in the database."""

from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import Comparison, TableProofs

PROOFS = TableProofs(
    comparisons={
        "proposals": (Comparison(verify_proposals),),
    },
    witnessed=("proposals",),
)
