"""How the tables of the app are proved against whoever can write the database."""

from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import Comparison, TableProofs

PROOFS = TableProofs(
    comparisons={
        "proposals": (Comparison(verify_proposals),),
    },
    witnessed=("proposals",),
)
