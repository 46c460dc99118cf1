"""Register how the app's tables are protected against changes in the database."""

from apps.backoffice.review.integrity import verify_cases
from apps.backoffice.review.known_false_positive_integrity import verify_known_false_positives
from apps.platform.ledger.table_proofs import FOUND_BY, PARTY, Comparison, TableProof, TableProofs

PROOFS = TableProofs(
    comparisons={
        "decisions": (Comparison(verify_cases),),
        "known_false_positives": (Comparison(verify_known_false_positives),),
    },
    proved={
        "review.Case": TableProof(
            PARTY,
            "decisions",
            verify_cases,
            "and when its resolution is returned",
        ),
        "review.KnownFalsePositive": TableProof(
            PARTY,
            "known_false_positives",
            verify_known_false_positives,
            "and when it clears a hit",
        ),
    },
    uncompared={
        "review.Case": (
            (("party_key", "wallet_key", "reference_key", "entity_key", "rule_refs"), FOUND_BY),
            (
                ("opened_at", "due_at", "assigned_to", "snoozed_until"),
                "the order of the queue; the facts of a case come from its recorded opening",
            ),
            (
                ("bulk", "reason_code"),
                "display only; each decision is recorded with its reason",
            ),
        ),
    },
    beside={
        "review.BulkClear": "which cases are proposed together; each decision is recorded "
        "separately",
        "review.Passed": "officers whom a case was offered to",
    },
    witnessed=("known_false_positives",),
)
