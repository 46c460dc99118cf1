"""Decisions about parties before money moves.

Screening and re-screening, the registry of wallets, verification of payees, AML and agents.
"""
