"""Purposes of a payment that are wages, so that the payee is screened for PEPs.

Document 1 section 2.7, check rule 4: payroll and contractor trigger the PEP screen. Codes are
those of ISO 20022, ExternalPurpose1Code and ExternalCategoryPurpose1Code. Pure.
"""

from collections.abc import Mapping

# bonus, government employees, payroll, salaries, salaries of several months, wages on demand
PAYMENT_TYPES: Mapping[str, str] = {
    "BONU": "payroll",
    "GVEA": "payroll",
    "GVEB": "payroll",
    "GVEC": "payroll",
    "GVED": "payroll",
    "PAYR": "payroll",
    "SALA": "payroll",
    "SPSP": "payroll",
    "ODPY": "contractor",
}


def payment_type(purpose: str) -> str | None:
    """Return of which type of document 1 a payment of this purpose is, None where of none."""
    return PAYMENT_TYPES.get(purpose)
