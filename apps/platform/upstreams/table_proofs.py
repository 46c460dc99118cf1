"""How the tables of the app are proved against whoever can write the database."""

from apps.platform.ledger.table_proofs import TableProofs

PROOFS = TableProofs(
    beside={
        "upstreams.UpstreamState": "which upstream pauses",
    },
)
