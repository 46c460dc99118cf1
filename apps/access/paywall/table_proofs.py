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
            "and at each call of the session",
        ),
        "paywall.Tick": TableProof(MONEY, "payments", verify_payment_steps),
    },
    uncompared={
        "paywall.PaymentClaim": (
            (("version", "network", "reason", "claimed_at", "settled_at", "status"), SHOWN),
            (
                ("answer", "sealed"),
                "encrypted under a key outside the database and bound to the payment's nonce: "
                "anything else fails to decrypt",
            ),
            (
                ("valid_before", "lease_until", "answered_at"),
                "how long a call may run and its answer is stored; that it was answered is "
                "recorded",
            ),
        ),
        "paywall.Tick": (
            (
                ("tick_id", "unit", "count", "balance", "resource", "at"),
                "display, and `tick_id` detects repeats; the sum of the ticks is compared",
            ),
        ),
    },
    witnessed=(
        "payments",
        "receipts",
    ),
)
