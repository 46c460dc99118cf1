"""Verification of payee: whether a name as a payment tells it is that of a registered payee."""

from apps.reference.names.payee.comparison import compare_payee_names
from apps.reference.names.payee.values import (
    AppliedRule,
    Band,
    ComparisonOutcome,
    WordContribution,
    band_of_score,
)

__all__ = [
    "AppliedRule",
    "Band",
    "ComparisonOutcome",
    "WordContribution",
    "band_of_score",
    "compare_payee_names",
]
