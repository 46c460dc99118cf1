"""Verification of Payee: is this wallet really that company (document 1 section 2.2)."""
