"""Rules of the travel-rule ledger: tables of pure functions."""

# It stands in every record and event: what an older one decided can be told apart.
VERSION = "2026-11.1"
