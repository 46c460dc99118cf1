"""The queue, the case and its steps, several cases, known false positives, the ledger."""

from apps.backoffice.review.admin import (
    cases,
    known_false_positives,
    ledger,
    severity_and_due_times,
)

__all__ = [
    "cases",
    "known_false_positives",
    "ledger",
    "severity_and_due_times",
]  # importing them registers their pages
