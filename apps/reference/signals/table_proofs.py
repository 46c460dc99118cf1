"""Register how the app's tables are protected against changes in the database."""

from apps.platform.ledger.table_proofs import (
    GONE,
    MONEY,
    OLDER_FIGURE,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)
from apps.reference.signals.integrity import verify_observations

PROOFS = TableProofs(
    comparisons={
        "intelligence_answers": (
            # what answers are computed from, which is no ledger itself
            Comparison(verify_observations),
        ),
    },
    proved={
        "signals.Observation": TableProof(MONEY, where="asked before a figure is read"),
    },
    uncompared={
        "signals.Observation": ((("digest", "fetched_at"), SHOWN), ((GONE,), OLDER_FIGURE)),
    },
    beside={
        "signals.Fetch": "a log of downloads",
        "signals.RawFile": "files as they came; what is read of them carries a MAC",
    },
)
