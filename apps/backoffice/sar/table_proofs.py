"""How the tables of the app are proved against whoever can write the database."""

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
