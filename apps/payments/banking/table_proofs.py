"""Register how the app's tables are protected against changes in the database."""

from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.volume_integrity import compare_month_volumes
from apps.platform.desk.integrity import verify_proposals
from apps.platform.ledger.table_proofs import (
    HISTORY,
    MONEY,
    TRIED,
    Comparison,
    TableProof,
    TableProofs,
)

PROOFS = TableProofs(
    comparisons={
        "bank_events": (Comparison(verify_bank_rows),),
        "payment_events": (Comparison(compare_month_volumes, position=20),),
    },
    proved={
        "banking.BankTransaction": TableProof(
            MONEY, "bank_events", verify_bank_rows, "and at each step"
        ),
        "banking.Delivery": TableProof(MONEY, "bank_events", verify_bank_rows),
        "banking.Recipient": TableProof(
            MONEY,
            "bank_events",
            verify_bank_rows,
            "and when it is paid",
        ),
        "banking.Send": TableProof(MONEY, "bank_events", verify_bank_rows, "and at each step"),
        "banking.Wire": TableProof(MONEY, "proposals", verify_proposals, "and when it is decided"),
        "payments.MonthVolume": TableProof(MONEY, "payment_events", compare_month_volumes),
    },
    uncompared={
        "banking.BankTransaction": ((("due_at", "tries", "trouble"), TRIED),),
        "banking.Recipient": ((("trouble",), TRIED),),
        "banking.Send": (
            (("due_at", "tries", "trouble", "calling_until"), TRIED),
            (("unclear",), "every attempt sends the bank the same key, so it pays once"),
        ),
    },
    beside={
        "banking.WireEvent": HISTORY,
    },
    witnessed=("bank_events",),
)
