"""Register how the app's tables are protected against changes in the database."""

from apps.backoffice.oversight.integrity import verify_samples
from apps.platform.ledger.table_proofs import PARTY, SHOWN, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "second_looks": (Comparison(verify_samples),),
    },
    proved={
        "oversight.Sample": TableProof(
            PARTY,
            "second_looks",
            verify_samples,
            deleted="the month's sampling is repeated from its key",
        ),
    },
    uncompared={
        "oversight.Sample": (
            (("sampled_at",), SHOWN),
            (
                ("case",),
                "a recorded review names its case; a waiting sample can be switched to another "
                "case of the same month, officers and risk, whose decision is then reviewed",
            ),
        ),
    },
)
