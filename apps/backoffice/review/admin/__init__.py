"""The queue, the case and its steps, several cases, known false positives, the ledger."""

from apps.backoffice.review.admin import cases, known, ledger, triage

__all__ = ["cases", "known", "ledger", "triage"]  # importing them registers their pages
