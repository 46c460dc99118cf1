"""Register how the app's tables are protected against changes in the database."""

from apps.backoffice.sar.integrity import verify_matters
from apps.platform.ledger.table_proofs import PARTY, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "sar": (Comparison(verify_matters),),
    },
    proved={
        "sar.SarMatter": TableProof(PARTY, "sar", verify_matters),
        "sar.SarParty": TableProof(PARTY, "sar", verify_matters),
    },
)
