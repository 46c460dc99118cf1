"""Register how the app's tables are protected against changes in the database."""

from apps.access.paywall.integrity import verify_payment_steps, verify_payments
from apps.platform.ledger.table_proofs import MONEY, SHOWN, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "payments": (Comparison(verify_payment_steps),),
        "receipts": (Comparison(verify_payments),),
    },
    proved={
        "paywall.PaymentClaim": TableProof(MONEY, "receipts", verify_payments),
        "paywall.StreamSession": TableProof(
            MONEY,
            "payments",
            verify_payment_steps,
            "and at each call from it",
        ),
        "paywall.Tick": TableProof(MONEY, "payments", verify_payment_steps),
    },
    uncompared={
        "paywall.PaymentClaim": (
            (("version", "network", "reason", "claimed_at", "settled_at", "status"), SHOWN),
            (
                ("answer", "sealed"),
                "sealed under a key that the database does not hold, for the nonce of the payment: "
                "anything else opens nothing",
            ),
            (
                ("valid_before", "lease_until", "answered_at"),
                "how long a call is waited for and its answer kept; that it was answered is "
                "recorded",
            ),
        ),
        "paywall.Tick": (
            (
                ("tick_id", "unit", "count", "balance", "resource", "at"),
                "shown, and by `tick_id` a repeat is known; what the ticks sum to is compared",
            ),
        ),
    },
    witnessed=(
        "payments",
        "receipts",
    ),
)
