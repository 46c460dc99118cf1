"""The queue, the case and its steps, several cases at once, and the ledger of decisions."""

from apps.review.admin import cases, ledger

__all__ = ["cases", "ledger"]  # importing them registers their pages
