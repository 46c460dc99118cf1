"""Register how the app's tables are protected against changes in the database."""

from apps.platform.ledger.table_proofs import TableProofs

PROOFS = TableProofs(
    beside={
        "upstreams.UpstreamState": "upstreams that are paused after errors",
    },
)
