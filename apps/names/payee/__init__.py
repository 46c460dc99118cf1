"""Verification of payee: whether a name as a payment tells it is that of a registered payee."""

from apps.names.payee.comparing import compare
from apps.names.payee.values import Band, Charged, Outcome, Told, band_of

__all__ = ["Band", "Charged", "Outcome", "Told", "band_of", "compare"]
