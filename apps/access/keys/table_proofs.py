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
            "and when it is decided and its secret is collected",
        ),
        "access.UsageCount": TableProof(
            MONEY,
            "usage",
            verify_usage_counts,
            "written every hour",
        ),
    },
    uncompared={
        "access.ApiKey": ((("last_used_at",), SHOWN),),
        "access.UsageCount": (
            (
                ("calls", "shard", FORGED),
                "raised counts, and calls removed since the last hourly record, are not "
                "detected: a bill based on them would be wrong. Nothing is debited from them, "
                "and the records of each product say what was called",
            ),
        ),
    },
    beside={
        "access.Account": "a name; keys and records refer to its number, which they protect",
        "access.FailedAttempt": "counts failed sign-ins; without it the limit per address still "
        "holds",
        "access.KeyEvent": "history for display; the records of `keys` are authoritative",
    },
    witnessed=(
        "keys",
        "usage",
    ),
)
