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
            "by its own figures",
            deleted="no settlement uses it, and past settlements keep their price",
        ),
        "stability.TierChange": TableProof(
            MONEY, "proposals", verify_proposals, "and as it is decided"
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
                "what is charged is worked out anew from the settlement; a quote of other "
                "figures, or one that ends later than any does, is refused",
            ),
        ),
    },
    beside={
        "stability.RunNote": "comments on a run, which is itself a record",
        "stability.TierChangeEvent": HISTORY,
    },
)
