"""The queue, the case and its steps, several cases at once, and the ledger of decisions."""

from apps.review.admin import cases, ledger, triage

__all__ = ["cases", "ledger", "triage"]  # importing them registers their pages
