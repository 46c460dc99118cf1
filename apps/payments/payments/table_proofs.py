"""Register how the app's tables are protected against changes in the database."""

from apps.payments.payments.integrity import verify_payments
from apps.platform.ledger.table_proofs import (
    FOUND_BY,
    MONEY,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "payment_events": (Comparison(verify_payments),),
    },
    proved={
        "payments.Payment": TableProof(
            MONEY,
            "payment_events",
            verify_payments,
            "and when it is returned or changes state",
        ),
    },
    uncompared={
        "payments.Payment": (
            (("creditor_key", "debtor_key", "message_id"), FOUND_BY),
            (
                ("submitted_at", "due_at", "ended_at", "tries", "trouble", "tx_place"),
                "when processing continues, and its display; the state decides what happens",
            ),
        ),
    },
    witnessed=("payment_events",),
)
