"""The queue, the case and its steps, several cases, known false positives, the ledger."""

from apps.backoffice.review.admin import cases, known_false_positives, ledger, triage

__all__ = [
    "cases",
    "known_false_positives",
    "ledger",
    "triage",
]  # importing them registers their pages
