"""Verification of Payee: whether a wallet belongs to a company (document 1 section 2.2)."""
