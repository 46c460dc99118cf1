"""Rules of the travel-rule ledger: tables of pure functions."""

# It is stored in every record and event, to identify decisions by an older version.
VERSION = "2026-11.1"
