"""Register how the app's tables are protected against changes in the database."""

from apps.platform.ledger.table_proofs import GONE, MONEY, OLDER_FIGURE, TableProof, TableProofs

PROOFS = TableProofs(
    proved={
        "esg.Evidence": TableProof(MONEY, where="verified before a score is computed from it"),
    },
    uncompared={
        "esg.Evidence": (((GONE,), OLDER_FIGURE),),
    },
    beside={
        "esg.EsgLookup": "entities that were looked up; the evidence found carries a MAC",
    },
)
