"""Payees: who is behind a wallet, and whether a name belongs to its owner."""
