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
            "and as it is told or moved",
        ),
    },
    uncompared={
        "chain.Order": ((("changed_at", "depth"), "shown; confirmations are counted anew"),),
    },
    beside={
        "chain.Cursor": "how far a chain was read; what is not seen settles nothing",
        "chain.Transfer": "part of what the record of its order proves; without it nothing settles",
    },
    witnessed=("chain_events",),
)
