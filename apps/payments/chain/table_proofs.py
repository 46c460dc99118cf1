"""Register how the app's tables are protected against changes in the database."""

from apps.payments.chain.integrity import verify_orders
from apps.platform.ledger.table_proofs import MONEY, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "chain_events": (Comparison(verify_orders),),
    },
    proved={
        "chain.Order": TableProof(
            MONEY,
            "chain_events",
            verify_orders,
            "and when it is returned or changes state",
        ),
    },
    uncompared={
        "chain.Order": (
            (("changed_at", "depth"), "display only; confirmations are counted again"),
        ),
    },
    beside={
        "chain.Cursor": "the last block read; an unread transfer settles nothing",
        "chain.Transfer": "covered by the record of its order; without it nothing settles",
    },
    witnessed=("chain_events",),
)
