"""Register how the app's tables are protected against changes in the database."""

from apps.access.keys.integrity import verify_keys
from apps.access.keys.usage_integrity import verify_usage_counts
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    ACCESS,
    FORGED,
    MONEY,
    SHOWN,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "keys": (Comparison(verify_keys),),
        "usage": (Comparison(verify_usage_counts),),
    },
    proved={
        "access.ApiKey": TableProof(ACCESS, "keys", verify_keys, "and at every call with the key"),
        "access.KeyRequest": TableProof(
            ACCESS,
            "proposals",
            verify_proposals,
            "and as it is decided or drawn",
        ),
        "access.UsageCount": TableProof(
            MONEY,
            "usage",
            verify_usage_counts,
            "which is written each hour",
        ),
    },
    uncompared={
        "access.ApiKey": ((("last_used_at",), SHOWN),),
        "access.UsageCount": (
            (
                ("calls", "shard", FORGED),
                "counts that are raised, or lowered by what was called since the record of the "
                "last "
                "hour, are not found: a bill made of them would be wrong. Nothing is debited by "
                "them, and the records of each product say what was called",
            ),
        ),
    },
    beside={
        "access.Account": "a name; keys and records are tied to its number, which they prove",
        "access.FailedAttempt": "counts guesses; without it the limit by address still holds",
        "access.KeyEvent": "history as pages show it; what counts are the records of `keys`",
    },
    witnessed=(
        "keys",
        "usage",
    ),
)
