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
            deleted="the draw of the month is made again by its key",
        ),
    },
    uncompared={
        "oversight.Sample": (
            (("sampled_at",), SHOWN),
            (
                ("case",),
                "a look names the case that it is of; a sample that waits can be exchanged for "
                "another case of its month, officers and risk, whose decision is as much looked at",
            ),
        ),
    },
)
