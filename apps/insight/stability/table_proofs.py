"""Register how the app's tables are protected against changes in the database."""

from apps.insight.stability.fees.integrity import verify_quote_fees
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    FORGED,
    HISTORY,
    MONEY,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "payment_events": (Comparison(verify_quote_fees, position=30),),
    },
    proved={
        "stability.Quote": TableProof(
            MONEY,
            "payment_events",
            verify_quote_fees,
            "from its own figures",
            deleted="nothing can settle under it, and earlier settlements keep their price",
        ),
        "stability.TierChange": TableProof(
            MONEY, "proposals", verify_proposals, "and when it is decided"
        ),
    },
    uncompared={
        "stability.Quote": (
            (
                (
                    *(
                        "quote_id",
                        "monthly_volume",
                        "sandbox",
                        "schedule",
                        "quoted_at",
                        "expires_at",
                    ),
                    *("used_by", FORGED),
                ),
                "the fee is recomputed from the settlement; a quote with other figures, or with "
                "a longer validity than any quote has, is refused",
            ),
        ),
    },
    beside={
        "stability.RunNote": "comment on a run; the run is a record",
        "stability.TierChangeEvent": HISTORY,
    },
)
