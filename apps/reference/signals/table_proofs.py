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
            # data that answers are computed from, which is not itself a ledger
            Comparison(verify_observations),
        ),
    },
    proved={
        "signals.Observation": TableProof(MONEY, where="verified before a figure is used"),
    },
    uncompared={
        "signals.Observation": ((("digest", "fetched_at"), SHOWN), ((GONE,), OLDER_FIGURE)),
    },
    beside={
        "signals.Fetch": "a log of downloads",
        "signals.RawFile": "files as received; each figure read from them carries a MAC",
    },
)
