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
            # the data behind answers; not a ledger itself
            Comparison(verify_observations),
        ),
    },
    proved={
        "signals.Observation": TableProof(MONEY, where="verified before a figure is read"),
    },
    uncompared={
        "signals.Observation": ((("digest", "fetched_at"), SHOWN), ((GONE,), OLDER_FIGURE)),
    },
    beside={
        "signals.Fetch": "a log of downloads",
        "signals.RawFile": "downloaded files; the figures read from them carry a MAC",
    },
)
